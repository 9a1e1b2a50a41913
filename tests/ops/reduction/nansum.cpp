// SPDX-License-Identifier: BSL-1.0
// nansum against PyTorch 2.15 and JAX; NaN alone, infinities, nothing at all, whole numbers, 16 bits.
#include "catch.hpp"
#include "program.hpp"

#include <tapeless/ops/reduction/nansum.hpp>

#include <cstdint>
#include <limits>

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr auto n = tl::dyn<"n">;

constexpr auto model = [] {
  auto x = tl::input<"x", double, n, 3>;
  auto columns = tl::nansum<0>(x);
  return tl::outputs(tl::named<"all">(tl::nansum(x)), tl::named<"columns">(columns),
                     tl::named<"rows">(tl::nansum<-1>(x)), tl::named<"kept">(tl::nansum<1>(x, tl::keep_dims)),
                     tl::named<"both">(tl::nansum<0, 1>(x)),
                     tl::named<"by x">(tl::grad(tl::dot(columns, tl::iota<double, 3>() + 1_c), x)));
};

}  // namespace

TEST_CASE("nansum adds up what is not NaN") {
  tl::function f{model};
  auto r = f("x"_t = std::vector<double>{1, none, 2.5, none, none, none, -4, 0.5, none, 3, -1, 0.25});
  CHECK(r.get<"all">()[0] == 2.25);
  CHECK(r.get<"both">()[0] == 2.25);
  CHECK(test::elements(r.get<"columns">()) == std::vector<double>{0, -0.5, 2.75});
  CHECK(test::elements(r.get<"rows">()) == std::vector<double>{3.5, 0, -3.5, 2.25});
  CHECK(test::elements(r.get<"kept">()) == std::vector<double>{3.5, 0, -3.5, 2.25});
  CHECK(r.get<"kept">().shape().size() == 2);
  CHECK(test::elements(r.get<"by x">()) == std::vector<double>{1, 0, 3, 0, 0, 0, 1, 2, 0, 1, 2, 3});
}

TEST_CASE("nansum of infinities and of nothing") {
  tl::function f{model};
  auto r = f("x"_t = std::vector<double>{1, none, infinity, none, -infinity, 2});
  CHECK(test::elements(r.get<"columns">()) == std::vector<double>{1, -infinity, infinity});
  CHECK(test::elements(r.get<"by x">()) == std::vector<double>{1, 0, 3, 0, 2, 3});
  auto empty = f("x"_t = std::vector<double>{});
  CHECK(empty.get<"all">()[0] == 0);
  CHECK(test::elements(empty.get<"columns">()) == std::vector<double>{0, 0, 0});
}

TEST_CASE("nansum of whole numbers and of 16 bits") {
  tl::function whole{[] { return tl::named<"y">(tl::nansum<0>(tl::input<"x", std::int64_t, n, 2>)); }};
  auto y = whole("x"_t = std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(test::elements(y.get<"y">()) == std::vector<double>{4, 6});
  tl::function half{[] { return tl::named<"y">(tl::nansum(tl::input<"x", tl::f16, n>)); }};
  std::vector<tl::f16> x(4097, tl::f16(1));
  x[7] = tl::f16(std::numeric_limits<float>::quiet_NaN());
  CHECK(float(half("x"_t = x).get<"y">()[0]) == 4096);
}
