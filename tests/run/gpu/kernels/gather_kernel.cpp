// SPDX-License-Identifier: BSL-1.0
// Elements that are picked: by indices, one of which is out of range, and from the end of an axis.
#include <tapeless/run/gpu/kernels/gather_kernel.hpp>

#include "run/gpu/both.hpp"

namespace {

struct picked {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, 5, 2>;
    auto index = tl::cast<std::int32_t>(tl::input<"index", float, 3>);  // not checked before the run
    return tl::outputs(tl::named<"y">(tl::index_select<0>(x, index)));
  }
};

struct reversed {
  constexpr auto operator()() const {
    return tl::outputs(tl::named<"y">(tl::flip<1>(tl::input<"x", double, 2, 3, 4>)));
  }
};

}  // namespace

TEST_CASE("gather: an index out of range is reported, and the next run goes on") {
  tl::function<picked, tl::thrust_host> f{picked{}};
  const std::vector<float> x(10, 1), wrong{0, 5, 1}, right{0, 4, 1};
  CHECK_THROWS_WITH(f("x"_t = x, "index"_t = wrong),
                    "tapeless: an index is 5, but must be from 0 to below 5");
  CHECK(f("x"_t = x, "index"_t = right).get<"y">()[0] == 1);
}

TEST_CASE("gather: an axis from its end") {
  test::both<reversed> f;
  CHECK(f.differ<"y">("x"_t = test::numbers(7).vector(24)) == 0);
}
