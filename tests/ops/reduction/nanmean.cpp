// SPDX-License-Identifier: BSL-1.0
// nanmean against PyTorch 2.15 and JAX; NaN alone, of which the gradient is 0 as JAX's, infinities, nothing
// at all, 16 bits.
#include "catch.hpp"
#include "check.hpp"
#include "program.hpp"

#include <tapeless/ops/reduction/nanmean.hpp>

#include <limits>

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr auto n = tl::dyn<"n">;

constexpr auto model = [] {
  auto x = tl::input<"x", double, n, 3>;
  auto columns = tl::nanmean<0>(x);
  auto rows = tl::nanmean<-1>(x);
  return tl::outputs(tl::named<"all">(tl::nanmean(x)), tl::named<"columns">(columns), tl::named<"rows">(rows),
                     tl::named<"kept">(tl::nanmean<1>(x, tl::keep_dims)),
                     tl::named<"columns by x">(tl::grad(tl::dot(columns, tl::iota<double, 3>() + 1_c), x)),
                     tl::named<"rows by x">(tl::grad(tl::dot(rows, tl::input<"w", double, n>), x)));
};

void check(const auto& view, const std::vector<double>& expected) { test::check(view, expected, 1e-15); }

}  // namespace

TEST_CASE("nanmean is the mean of what is not NaN") {
  tl::function f{model};
  auto r = f("x"_t = std::vector<double>{1, none, 2.5, none, none, none, -4, 0.5, none, 3, -1, 0.25},
             "w"_t = std::vector<double>{1, 2, 3, 4});
  check(r.get<"all">(), {0.32142857142857145});
  check(r.get<"columns">(), {0, -0.25, 1.375});
  check(r.get<"rows">(), {1.75, none, -1.75, 0.75});
  check(r.get<"kept">(), {1.75, none, -1.75, 0.75});
  CHECK(r.get<"kept">().shape().size() == 2);
  const double third = 1.0 / 3;
  check(r.get<"columns by x">(), {third, 0, 1.5, 0, 0, 0, third, 1, 0, third, 1, 1.5});
  check(r.get<"rows by x">(), {0.5, 0, 0.5, 0, 0, 0, 1.5, 1.5, 0, 4 * third, 4 * third, 4 * third});
}

TEST_CASE("nanmean of infinities and of nothing") {
  tl::function f{model};
  auto r = f("x"_t = std::vector<double>{1, none, infinity, none, -infinity, 2},
             "w"_t = std::vector<double>{1, 1});
  check(r.get<"columns">(), {1, -infinity, infinity});
  check(r.get<"columns by x">(), {1, 0, 1.5, 0, 2, 1.5});
  check(f("x"_t = std::vector<double>{}, "w"_t = std::vector<double>{}).get<"columns">(), {none, none, none});
}

TEST_CASE("nanmean of 16 bits is finite where their sum is not") {
  tl::function f{[] { return tl::named<"y">(tl::nanmean(tl::input<"x", tl::f16, n>)); }};
  std::vector<tl::f16> x(4097, tl::f16(1000));
  x[7] = tl::f16(std::numeric_limits<float>::quiet_NaN());
  CHECK(float(f("x"_t = x).get<"y">()[0]) == 1000);
}
