// SPDX-License-Identifier: BSL-1.0
// Variances, deviations, norms and products where they are hard: of equal elements, of zeros, of one element,
// of none; over literal and run-time extents.
#include "catch.hpp"
#include "program.hpp"

#include <tapeless/ops/linalg/matrix_norm.hpp>

#include <cmath>
#include <limits>

namespace {

constexpr double infinity = tl::infinity;
constexpr auto n = tl::dyn<"n">, m = tl::dyn<"m">;

template <class T, tl::extent Rows, tl::extent Columns>
struct moments {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, Rows, Columns>;
    auto variance = tl::var<-1>(x);
    auto deviation = tl::std<-1>(x, tl::correction<0>);
    return tl::outputs(tl::named<"var">(variance), tl::named<"std">(deviation),
                       tl::named<"var_g">(tl::grad(tl::sum(variance), x)),
                       tl::named<"std_g">(tl::grad(tl::sum(deviation), x)),
                       tl::named<"std_h">(tl::vjp(tl::grad(tl::sum(deviation), x), x, x)),
                       tl::named<"mean">(tl::mean<-1>(x)),
                       tl::named<"var_all">(tl::var(x, tl::correction<0>, tl::keep_dims)),
                       tl::named<"std_0">(tl::std<0>(x, tl::keep_dims, tl::correction<2>)));
  }
};

template <class T>
struct norms {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n, 3>;
    auto one = tl::norm<-1>(x, tl::order<1>);
    auto two = tl::norm<1>(x, tl::keep_dims);
    auto three = tl::norm<1>(x, tl::order<3>, tl::keep_dims);
    auto half = tl::norm<1>(x, tl::order<0.5>);
    auto largest = tl::norm<-1>(x, tl::order<tl::infinity>);
    auto gradient = [x](auto y) { return tl::grad(tl::sum(y), x); };
    return tl::outputs(
        tl::named<"1">(one), tl::named<"2">(two), tl::named<"3">(three), tl::named<"half">(half),
        tl::named<"largest">(largest), tl::named<"1_g">(gradient(one)), tl::named<"2_g">(gradient(two)),
        tl::named<"3_g">(gradient(three)), tl::named<"half_g">(gradient(half)),
        tl::named<"largest_g">(gradient(largest)), tl::named<"2_h">(tl::vjp(gradient(two), x, x)),
        tl::named<"3_h">(tl::vjp(gradient(three), x, x)));
  }
};

template <tl::extent Columns>
struct products {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n, Columns>;
    auto y = tl::prod<-1>(x);
    auto g = tl::grad(tl::sum(y), x);
    return tl::outputs(tl::named<"y">(y), tl::named<"g">(g), tl::named<"h">(tl::grad(tl::sum(g), x)),
                       tl::named<"all">(tl::prod(x, tl::keep_dims)),
                       tl::named<"all_g">(tl::grad(tl::prod(x), x)));
  }
};

template <class View>
void check(const View& found, const std::vector<double>& expected, double tolerance = 0) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("element " << i << ": " << found[i] << ", expected " << expected[i]);
    const double difference = std::abs(static_cast<double>(found[i]) - expected[i]);
    CHECK((static_cast<double>(found[i]) == expected[i] || difference <= tolerance * std::abs(expected[i])));
  }
}

template <class T, class F>
void check_moments(F& f) {
  // Equal elements whose sum is rounded, and far-off elements that differ in their last digits only.
  const T far = sizeof(T) == 4 ? T(1e4) : T(1e10);
  std::vector<T> x(21, T(0.1));
  for (std::size_t i = 7; i < 14; ++i) x[i] = far + static_cast<T>(i % 3);
  for (std::size_t i = 14; i < 21; ++i) x[i] = static_cast<T>(i) - 17;
  auto r = f("x"_t = x);
  check(r.template get<"var">(), {0, 4.0 / 6, 28.0 / 6}, 1e-6);
  CHECK(r.template get<"std">()[0] == 0);
  CHECK(r.template get<"std">()[2] == test::Approx(2));
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(r.template get<"var_g">()[i] == 0);
    CHECK(r.template get<"std_g">()[i] == 0);
    CHECK(r.template get<"std_h">()[i] == 0);
    CHECK(r.template get<"std_g">()[14 + i] == test::Approx((static_cast<double>(i) - 3) / 14).margin(1e-7));
  }
  CHECK(r.template get<"var_all">().shape().size() == 2);
  CHECK(r.template get<"var_all">()[0] == test::Approx(static_cast<double>(far) * far * 2 / 9).epsilon(1e-3));
  CHECK(r.template get<"std_0">().size() == 7);
}

}  // namespace

TEMPLATE_TEST_CASE("equal elements have exactly the variance 0, with the gradient 0", "", float, double) {
  tl::function literal{moments<TestType, 3, 7>{}};
  check_moments<TestType>(literal);
  tl::function bound{moments<TestType, n, m>{}};
  const auto rows = [&](auto x) { return bound(std::move(x), "n"_t = 3); };
  check_moments<TestType>(rows);

  SECTION("too few elements have no variance") {
    auto one = bound("x"_t = std::vector<TestType>{2, 5}, "n"_t = 2);
    CHECK(std::isnan(one.template get<"var">()[0]));
    check(one.template get<"std">(), {0, 0});
    check(one.template get<"std_g">(), {0, 0});
    CHECK(one.template get<"std_0">()[0] == infinity);
    auto none = bound("x"_t = std::vector<TestType>{}, "n"_t = 2, "m"_t = 0);
    CHECK(none.template get<"var">().size() == 2);
    CHECK(std::isnan(none.template get<"var">()[0]));
    CHECK(std::isnan(none.template get<"mean">()[0]));
    CHECK(none.template get<"std_0">().size() == 0);
  }
}

TEST_CASE("norms of no element are 0") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n, 3>;
    auto largest = tl::norm<0>(x, tl::order<infinity>);
    return tl::outputs(tl::named<"largest">(largest), tl::named<"3">(tl::norm<0>(x, tl::order<3>)),
                       tl::named<"matrix">(tl::matrix_norm(x, tl::order<1>)),
                       tl::named<"turned">(tl::matrix_norm(tl::transpose(x), tl::order<1>)),
                       tl::named<"g">(tl::grad(tl::sum(largest), x)));
  }};
  const auto none = f("x"_t = std::vector<double>{});
  check(none.get<"largest">(), {0, 0, 0});
  check(none.get<"3">(), {0, 0, 0});
  check(none.get<"matrix">(), {0});
  check(none.get<"turned">(), {0});
  const auto some = f("x"_t = std::vector<double>{1, 0, -3, -1, 0, 2});
  check(some.get<"largest">(), {1, 0, 3});
  check(some.get<"turned">(), {4});
  check(some.get<"g">(), {0.5, 0, -1, -0.5, 0, 0});
}

TEMPLATE_TEST_CASE("norms of zeros, with ties, and of large numbers", "", float, double) {
  tl::function f{norms<TestType>{}};
  const auto large = static_cast<TestType>(sizeof(TestType) == 4 ? 1e15 : 1e150);
  const std::vector<TestType> x{0, 0, 0, 3, -4, 0, 2, -2, 2, large, large, 0};
  auto r = f("x"_t = x);
  const double l = static_cast<double>(large);
  check(r.template get<"1">(), {0, 7, 6, 2 * l}, 1e-6);
  check(r.template get<"2">(), {0, 5, std::sqrt(12.0), std::sqrt(2.0) * l}, 1e-6);
  check(r.template get<"3">(), {0, std::cbrt(91.0), std::cbrt(24.0), std::cbrt(2.0) * l}, 1e-6);
  check(r.template get<"half">(), {0, 7 + 4 * std::sqrt(3.0), 18, 4 * l}, 1e-6);
  check(r.template get<"largest">(), {0, 4, 2, l}, 0);
  const double root = 1 / std::sqrt(3.0), half = 1 / std::sqrt(2.0), third = 1.0 / 3;
  check(r.template get<"1_g">(), {0, 0, 0, 1, -1, 0, 1, -1, 1, 1, 1, 0}, 1e-6);
  check(r.template get<"2_g">(), {0, 0, 0, 0.6, -0.8, 0, root, -root, root, half, half, 0}, 1e-6);
  const double c = std::pow(91.0, -2.0 / 3), d = std::pow(3.0, -2.0 / 3), e = std::pow(2.0, -2.0 / 3);
  check(r.template get<"3_g">(), {0, 0, 0, 9 * c, -16 * c, 0, d, -d, d, e, e, 0}, 1e-6);
  check(r.template get<"largest_g">(), {0, 0, 0, 0, -1, 0, third, -third, third, 0.5, 0.5, 0}, 1e-6);
  CHECK(r.template get<"half_g">()[0] == 0);
  CHECK(r.template get<"half_g">()[5] == 0);
  // A norm's gradient does not change along the vector.
  const std::vector<double> along = test::elements(r.template get<"2_h">());
  for (std::size_t i = 0; i < 9; ++i) CHECK(along[i] == test::Approx(0).margin(1e-6));
  for (double second : test::elements(r.template get<"3_h">())) CHECK(second == test::Approx(0).margin(1e-5));
}

TEST_CASE("products with zeros have their true gradient") {
  const std::vector<double> x{1, 2, 3, 4, 5, 0, 2, 3, 4, 5, 0, 2, 0, 4, 5, -1, 0.5, -2, 3, 1};
  const std::vector<double> y{120, 0, 0, 3},
      g{120, 60, 40, 30, 24, 120, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, 6, -1.5, 1, 3};
  tl::function literal{products<5>{}};
  auto r = literal("x"_t = x);
  check(r.get<"y">(), y, 1e-15);
  check(r.get<"g">(), g, 1e-15);
  CHECK(r.get<"h">()[5] == 60 + 40 + 30 + 24);
  CHECK(r.get<"h">()[6] == 60);
  CHECK(r.get<"h">()[10] == 40);
  CHECK(r.get<"h">()[11] == 0);
  CHECK(r.get<"all">()[0] == 0);
  tl::function bound{products<m>{}};
  auto s = bound("x"_t = x, "n"_t = 4);
  check(s.get<"y">(), y, 1e-15);
  check(s.get<"g">(), g, 1e-15);
  for (std::size_t i = 0; i < 5; ++i) CHECK(s.get<"h">()[i] == test::Approx(r.get<"h">()[i]));
  auto single = bound("x"_t = std::vector<double>{0, 3}, "n"_t = 2);
  check(single.get<"y">(), {0, 3});
  check(single.get<"g">(), {1, 1});
  check(single.get<"all_g">(), {3, 0});
  auto none = bound("x"_t = std::vector<double>{}, "n"_t = 2, "m"_t = 0);
  check(none.get<"y">(), {1, 1});
  check(none.get<"all">(), {1});
  auto no_rows = literal("x"_t = std::vector<double>{});
  check(no_rows.get<"all">(), {1});
  CHECK(no_rows.get<"g">().size() == 0);
}
