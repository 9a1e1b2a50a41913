// SPDX-License-Identifier: BSL-1.0
// Pools of largest elements with indices, and back: values and gradients by PyTorch.
#include <tapeless/ops/spatial/max_unpool.hpp>

#include "laws/laws.hpp"
#include "torch_values.hpp"

namespace {

using laws::part;
using test::check_values;
using test::flat;
using tl::pool;

template <tl::extent... E, class F>
void check_indices(F, const std::vector<double>& expected) {
  tl::function f{[] { return tl::outputs(tl::named<"index">(F{}(tl::input<"x", double, E...>))); }};
  auto r = f("x"_t = test::different_numbers((1 * ... * E.value)));
  CHECK(test::elements(r.template get<"index">()) == expected);
}

template <pool Options>
constexpr auto back1d(auto x) {
  auto [y, index] = tl::max_pool1d_with_indices<Options>(x);
  return tl::max_unpool1d<Options>(y, index);
}
template <pool Options, tl::extent... E>
constexpr auto back2d(auto x) {
  auto [y, index] = tl::max_pool2d_with_indices<Options>(x);
  return tl::max_unpool2d<Options, E...>(y, index);
}
template <pool Options>
constexpr auto back3d(auto x) {
  auto [y, index] = tl::max_pool3d_with_indices<Options>(x);
  return tl::max_unpool3d<Options>(y, index);
}

}  // namespace

TEST_CASE("largest elements back where they were") {
  check_values<40>(
      [](auto z) {
        return tl::concat<0>(
            flat(back1d<pool{.kernel = 2}>(part<0, 1, 2, 6>(z))),
            flat(back2d<pool{.kernel = {2, 3}, .stride = {2, 3}, .padding = {1, 0}}>(part<0, 1, 1, 4, 6>(z))),
            flat(back2d<pool{.kernel = 2}, 5, 4>(part<0, 2, 5, 4>(z))),
            flat(back3d<pool{.kernel = {2, 1, 2}}>(part<0, 1, 1, 4, 2, 2>(z))));
      },
      {0, -0.8125, 1.5,   0, 0,      2.125, 0,      0.4375, 2.75, 0,     1.0625, 0, 0,      0, 1.5,    0,
       0, 2.125,   0,     0, 2.75,   0,     0,      0,      0,    0,     0,      0, 2.3125, 0, 0,      2.9375,
       0, 1.25,    0,     0, 0,      0,     1.5,    0,      0,    2.125, 0,      0, 2.75,   0, 1.0625, 0,
       0, 0,       0,     0, 0,      0,     0,      0,      0,    0,     0,      0, 1.875,  0, 0,      2.5,
       0, 0,       3.125, 0, 1.4375, 0,     0,      0,      0,    0,     0,      0, 0,      0, 1.5,    0,
       0, 2.125,   0,     0, 2.75,   0,     1.0625, 0,      0,    0,     0,      0},
      {0, -1.625, 12, 0, 0,    17, 0, 0.875, 22, 0, 6.375, 0, 0,     0, 0, 0, 4.625, 0, 0, 5.875,
       0, 2.5,    0,  0, 3.75, 0,  0, 5,     0,  0, 6.25,  0, 2.875, 0, 0, 0, 0,     0, 0, 0});
}

TEST_CASE("where the largest elements of windows are") {
  using numbers = std::vector<double>;
  check_indices<1, 2, 5, 6>(
      [](auto x) {
        return std::get<1>(tl::max_pool2d_with_indices<pool{.kernel = 3, .stride = 2, .padding = 1}>(x));
      },
      numbers{7, 8, 5, 19, 19, 16, 19, 19, 27, 0, 8, 5, 19, 19, 16, 19, 19, 27});
  check_indices<1, 1, 6, 6>(
      [](auto x) {
        return std::get<1>(
            tl::max_pool2d_with_indices<pool{.kernel = 2, .dilation = 2, .ceil_mode = true}>(x));
      },
      numbers{2, 16, 16, 24, 16, 16, 24, 26, 28});
  check_indices<2, 9>(
      [](auto x) {
        return std::get<1>(
            tl::max_pool1d_with_indices<pool{.kernel = 3, .stride = 2, .padding = 1, .ceil_mode = true}>(x));
      },
      numbers{1, 2, 5, 5, 8, 1, 1, 4, 7, 7});
  check_indices<1, 1, 3, 4, 4>(
      [](auto x) {
        return std::get<1>(
            tl::max_pool3d_with_indices<pool{.kernel = 2, .stride = 1, .padding = {1, 0, 1}}>(x));
      },
      numbers{4,  5,  5,  2,  7,  8,  8,  5,  10, 7,  8,  8,  13, 10, 15, 16, 16, 5,  19, 19,
              8,  8,  5,  27, 27, 8,  8,  30, 30, 27, 16, 16, 38, 19, 19, 24, 24, 38, 38, 27,
              24, 24, 30, 30, 27, 32, 32, 38, 38, 35, 40, 40, 38, 38, 43, 40, 40, 46, 46, 43});
}

TEST_CASE("elements that windows share come back once; of equal ones, the first is found") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 1, 1, tl::dyn<"n">>;
    return tl::outputs(tl::named<"y">(back1d<pool{.kernel = 2, .stride = 1}>(x)));
  }};
  using row = std::vector<double>;
  CHECK(test::elements(f("x"_t = row{1, 5, 3, 2}, "n"_t = 4).get<"y">()) == row{0, 5, 3, 0});
  CHECK(test::elements(f("x"_t = row{4, 4, -1}, "n"_t = 3).get<"y">()) == row{4, 4, 0});
}

TAPELESS_LAW(max_unpool, 18, 18, -1, 1,
             tl::square(back2d<pool{.kernel = 2, .stride = 1}, 3, 3>(part<0, 1, 2, 3, 3>(z))))
