// SPDX-License-Identifier: BSL-1.0
// Indices: elements that several add to at the same time, in all types, and indices out of range.
#include <tapeless/run/gpu/kernels/walk.hpp>

#include "run/gpu/both.hpp"

namespace {

template <class T>
struct added {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, 6, 4>;
    auto index = tl::input<"index", std::int64_t, 6>;
    auto start = tl::input<"start", T, 3, 4>;
    return tl::outputs(
        tl::named<"y">(tl::scatter_add<0>(start, tl::expand<6, 4>(tl::reshape<6, 1>(index)), x)));
  }
};

struct picked {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, 5, 2>;
    auto index = tl::cast<std::int32_t>(tl::input<"index", float, 3>);  // not checked before the run
    return tl::outputs(tl::named<"y">(tl::index_select<0>(x, index)));
  }
};

template <class T>
void check_added() {
  test::both<added<T>> f;
  std::vector<T> x, start(12, T(1));
  for (int i = 0; i < 24; ++i) x.push_back(static_cast<T>(i));
  const std::vector<std::int64_t> index{2, 0, 2, 2, 0, 2};
  CHECK(f.template differ<"y">("x"_t = x, "start"_t = start, "index"_t = index) == 0);
}

}  // namespace

TEST_CASE("walk: several elements are added to one, in all types") {
  check_added<float>();
  check_added<double>();
  check_added<tl::bf16>();
  check_added<std::int32_t>();
}

TEST_CASE("walk: an index out of range is reported, and the next run goes on") {
  tl::function<picked, tl::thrust_host> f{picked{}};
  const std::vector<float> x(10, 1), wrong{0, 5, 1}, right{0, 4, 1};
  CHECK_THROWS_WITH(f("x"_t = x, "index"_t = wrong),
                    "tapeless: an index is 5, but must be from 0 to below 5");
  CHECK(f("x"_t = x, "index"_t = right).get<"y">()[0] == 1);
}
