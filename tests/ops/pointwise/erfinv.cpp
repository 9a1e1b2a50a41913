// SPDX-License-Identifier: BSL-1.0
#include <cmath>
#include <limits>
#include <vector>

#include "laws/laws.hpp"

TAPELESS_LAW(erfinv, 5, 5, -0.9, 0.9, tl::erfinv(z))

namespace {

/// erfinv(x), by Newton's method on whichever of erf and erfc loses nothing there.
long double inverse_by_newton(long double x) {
  if (x < 0) return -inverse_by_newton(-x);
  const long double half_root_pi = std::sqrt(std::acos(-1.0L)) / 2;
  long double y = x < 0.5L ? x * half_root_pi : std::sqrt(-std::log1p(-x));
  for (int i = 0; i < 60; ++i) {
    const long double above = x < 0.5L ? std::erf(y) - x : (1 - x) - std::erfc(y);
    y -= above * std::exp(y * y) * half_root_pi;
  }
  return y;
}

template <class T>
std::vector<T> of_all_sizes() {
  std::vector<T> x;
  for (T t = T(-0.984375); t < T(1); t += T(0.015625)) x.push_back(t);
  for (int digit = 2; digit < std::numeric_limits<T>::digits; ++digit) {
    x.push_back(T(1) - std::ldexp(T(1), -digit));
    x.push_back(std::ldexp(T(-1.5), -2 * digit));
  }
  return x;
}

template <class T>
std::vector<T> values_of(const std::vector<T>& x) {
  using namespace tl::literals;
  tl::function f{[] { return tl::named<"y">(tl::erfinv(tl::input<"x", T, tl::dyn<"n">>)); }};
  const auto r = f("x"_t = x);
  const auto y = r.template get<"y">();
  return {y.begin(), y.end()};
}

}  // namespace

TEMPLATE_TEST_CASE("erfinv is erf's inverse within 8 units in the last place", "", float, double) {
  const std::vector<TestType> x = of_all_sizes<TestType>(), y = values_of(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto expected = inverse_by_newton(x[i]);
    INFO("of " << x[i] << ": " << y[i] << ", expected " << expected);
    CHECK(std::abs(y[i] - expected) <= 8 * std::numeric_limits<TestType>::epsilon() * std::abs(expected));
  }
}

TEMPLATE_TEST_CASE("erfinv at the ends of its domain and beyond", "", float, double) {
  const TestType infinity = std::numeric_limits<TestType>::infinity();
  const TestType nan = std::numeric_limits<TestType>::quiet_NaN();
  const std::vector<TestType> y = values_of<TestType>({-1, 1, 0, TestType(1.5), -2, infinity, nan});
  CHECK(y[0] == -infinity);
  CHECK(y[1] == infinity);
  CHECK(y[2] == 0);
  for (std::size_t i = 3; i < y.size(); ++i) CHECK(std::isnan(y[i]));
}
