// SPDX-License-Identifier: BSL-1.0
// linspace against PyTorch's numbers, with extents of both kinds, and its gradients.
#include <tapeless/ops/indexing/linspace.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto n = tl::dyn<"n">;

constexpr auto lines = [] {
  auto x = tl::input<"x", double, n>;
  auto first = tl::input<"first", double>;
  auto last = tl::input<"last", double>;
  auto y = tl::linspace<double, n>(first, last);
  return tl::outputs(tl::named<"y">(y), tl::named<"first">(tl::grad(tl::dot(x, y), first)),
                     tl::named<"last">(tl::grad(tl::dot(x, y), last)),
                     tl::named<"down">(tl::linspace<float, 4>(1_c, -2_c)),
                     tl::named<"one">(tl::linspace<float, 1>(3_c, 8_c)),
                     tl::named<"thirds">(tl::linspace<float, 4>(0_c, 1_c)),
                     tl::named<"half">(tl::linspace<tl::f16, 4001>(0_c, 1_c)));
};

using numbers = std::vector<double>;

}  // namespace

TEST_CASE("linspace has both ends, and numbers at equal distances between them") {
  tl::function f{lines};
  const numbers x{1, 10, 100, 1000, 10000};
  auto r = f("x"_t = x, "first"_t = -1.0, "last"_t = 3.0);
  CHECK(test::elements(r.get<"y">()) == numbers{-1, 0, 1, 2, 3});
  CHECK(r.get<"first">()[0] == test::Approx(1 + 7.5 + 50 + 250));
  CHECK(r.get<"last">()[0] == test::Approx(2.5 + 50 + 750 + 10000));
  CHECK(test::elements(r.get<"down">()) == numbers{1, 0, -1, -2});
  CHECK(test::elements(r.get<"one">()) == numbers{3});
  // counted from the nearer end, as PyTorch has it
  CHECK(test::elements(r.get<"thirds">()) == numbers{0, 0.3333333432674408, 0.6666666269302368, 1});
  CHECK(static_cast<float>(r.get<"half">()[2000]) == 0.5f);
}

TEST_CASE("linspace of a run-time extent of one is its first end") {
  tl::function f{lines};
  const numbers x{2};
  auto r = f("x"_t = x, "first"_t = -1.0, "last"_t = 3.0);
  CHECK(test::elements(r.get<"y">()) == numbers{-1});
  CHECK(r.get<"first">()[0] == 2);
  CHECK(r.get<"last">()[0] == 0);
}
