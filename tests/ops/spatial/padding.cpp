// SPDX-License-Identifier: BSL-1.0
// Padding that takes elements from x, and padding that takes elements off: values and gradients by PyTorch.
#include <tapeless/ops/spatial/padding_mode.hpp>

#include "catch.hpp"
#include "laws/laws.hpp"
#include "program.hpp"

namespace {

using laws::part;
using enum tl::padding_mode;

// The sums of squares of one row's results, by their gradients.
template <int Before, int After, tl::padding_mode Mode, tl::extent N>
void check(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& gradient) {
  tl::function f{[] {
    auto row = tl::input<"x", double, 1, N, 1>;
    auto padded = tl::pad<1, Before, After, Mode>(row);
    return tl::outputs(tl::named<"y">(padded), tl::named<"g">(tl::grad(tl::sum(tl::square(padded)), row)));
  }};
  auto r = [&] {
    if constexpr (N.symbol == nullptr) {
      return f("x"_t = x);
    } else {
      return f("x"_t = x, "n"_t = x.size());
    }
  }();
  CHECK(test::elements(r.template get<"y">()) == y);
  CHECK(test::elements(r.template get<"g">()) == gradient);
}

constexpr tl::extent run_time = tl::dyn<"n">;

}  // namespace

TEST_CASE("padding by modes") {
  check<3, 1, reflect, 4>({1, 2, 3, 4}, {4, 3, 2, 1, 2, 3, 4, 3}, {2, 8, 18, 16});
  check<3, 1, replicate, 4>({1, 2, 3, 4}, {1, 1, 1, 1, 2, 3, 4, 4}, {8, 4, 6, 16});
  check<3, 1, circular, 4>({1, 2, 3, 4}, {2, 3, 4, 1, 2, 3, 4, 1}, {4, 8, 12, 16});
  check<1, 1, zeros, 4>({1, 2, 3, 4}, {0, 1, 2, 3, 4, 0}, {2, 4, 6, 8});
  check<0, 4, circular, 4>({1, 2, 3, 4}, {1, 2, 3, 4, 1, 2, 3, 4}, {4, 8, 12, 16});
}

TEST_CASE("padding of run-time extents by modes") {
  check<3, 1, reflect, run_time>({1, 2, 3, 4}, {4, 3, 2, 1, 2, 3, 4, 3}, {2, 8, 18, 16});
  check<3, 1, replicate, run_time>({1, 2, 3, 4}, {1, 1, 1, 1, 2, 3, 4, 4}, {8, 4, 6, 16});
  check<3, 1, circular, run_time>({1, 2, 3, 4}, {2, 3, 4, 1, 2, 3, 4, 1}, {4, 8, 12, 16});
  check<5, 0, replicate, run_time>({7}, {7, 7, 7, 7, 7, 7}, {84});
}

TEST_CASE("negative padding by modes") {
  check<-2, 3, reflect, 4>({1, 2, 3, 4}, {3, 4, 3, 2, 1}, {2, 4, 12, 8});
  check<2, -1, reflect, run_time>({1, 2, 3, 4}, {3, 2, 1, 2, 3}, {2, 8, 12, 0});
  check<-2, 3, replicate, 4>({1, 2, 3, 4}, {3, 4, 4, 4, 4}, {0, 0, 6, 32});
  check<-1, 2, circular, 4>({1, 2, 3, 4}, {2, 3, 4, 2, 3}, {0, 8, 12, 8});
  check<2, -1, circular, run_time>({1, 2, 3, 4}, {2, 3, 1, 2, 3}, {2, 8, 12, 0});
  check<-2, -2, zeros, 4>({1, 2, 3, 4}, {}, {0, 0, 0, 0});
}

TEST_CASE("negative padding with numbers") {
  tl::function f{[] {
    auto x = tl::input<"x", double, tl::dyn<"n">>;
    return tl::outputs(tl::named<"front">(tl::pad<0, -1, 2>(x, 9_c)),
                       tl::named<"back">(tl::pad<0, 2, -1>(x, 9_c)), tl::named<"zeros">(tl::pad<0, -1, 2>(x)),
                       tl::named<"both">(tl::pad<0, -1, -1>(x, 9_c)));
  }};
  auto r = f("x"_t = std::vector<double>{1, 2, 3}, "n"_t = 3);
  using row = std::vector<double>;
  CHECK(test::elements(r.get<"front">()) == row{2, 3, 9, 9});
  CHECK(test::elements(r.get<"back">()) == row{9, 9, 1, 2});
  CHECK(test::elements(r.get<"zeros">()) == row{2, 3, 0, 0});
  CHECK(test::elements(r.get<"both">()) == row{2});
}

TAPELESS_LAW(pad_by_modes, 12, 21, -1, 1,
             tl::square(tl::pad<1, 2, 1, reflect>(part<0, 3, 4>(z))) *
                 tl::pad<1, 2, 1, replicate>(part<0, 3, 4>(z)) *
                 tl::pad<-1, 2, 1, circular>(part<0, 3, 4>(z)))
