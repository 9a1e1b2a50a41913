// SPDX-License-Identifier: BSL-1.0
// The functions of bare numbers against the C library's in long double, in units of the last place.
#include <tapeless/run/bare/bare_functions.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "catch.hpp"

namespace {

using tapeless::bare_kernels::bare_number;

template <class T>
double error_of(T got, long double exact) {
  const T wanted = static_cast<T>(exact);
  if (got == wanted || (std::isnan(got) && std::isnan(wanted))) return 0;
  if (!std::isfinite(got) || !std::isfinite(wanted)) return std::numeric_limits<double>::infinity();
  const long double size = std::fabs(wanted);
  const long double last_place = std::nextafter(static_cast<T>(size), std::numeric_limits<T>::infinity()) - size;
  return static_cast<double>(std::fabs(got - exact) / last_place);
}

/// Numbers of all sizes, and around the ends of what functions take.
template <class T, class F>
void for_each_number(F f) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 60000; ++k) {
    const std::uint64_t bits = random();
    T x;
    std::memcpy(&x, &bits, sizeof x);
    f(x);
    f(static_cast<T>(std::ldexp(static_cast<double>(bits >> 11), -53) * 200 - 100));
  }
  for (const double x : {0.0, 0.5, 1.0, 1.5, 2.5, 88.72, 89.0, 103.9, 104.0, 709.7, 710.0, 745.1, 746.0, 8388607.5})
    for (const double sign : {1.0, -1.0}) f(static_cast<T>(sign * x));
  using limits = std::numeric_limits<T>;
  for (const T x : {limits::infinity(), limits::quiet_NaN(), limits::max(), limits::min(), limits::denorm_min()}) {
    f(x);
    f(-x);
  }
}

template <class T, class Ours, class Exact>
void check(double most, Ours ours, Exact exact, T end = std::numeric_limits<T>::infinity()) {
  double worst = 0;
  T where{};
  for_each_number<T>([&](T x) {
    if (std::fabs(x) > end) return;
    const double e = error_of(ours(bare_number<T>(x)).x, exact(static_cast<long double>(x)));
    if (e > worst) worst = e, where = x;
  });
  INFO("at " << where);
  CHECK(worst <= most);
}

#define FUNCTION(NAME) [](auto x) { return NAME(x); }, [](long double x) { return std::NAME(x); }

}  // namespace

TEST_CASE("functions of one float") {
  check<float>(1, FUNCTION(exp));
  check<float>(1, FUNCTION(log));
  check<float>(2.5, FUNCTION(tanh));
  check<float>(2.5, FUNCTION(expm1));
  check<float>(1.5, FUNCTION(log1p));
  check<float>(0.51, FUNCTION(sqrt));
  check<float>(0.51, FUNCTION(exp2));
  check<float>(0.51, FUNCTION(log2));
  check<float>(0.51, FUNCTION(sin), 1e6f);
  check<float>(0.51, FUNCTION(cos), 1e6f);
  check<float>(0, FUNCTION(floor));
  check<float>(0, FUNCTION(ceil));
  check<float>(0, FUNCTION(trunc));
  check<float>(0, FUNCTION(nearbyint));
  check<float>(0, FUNCTION(abs));
}

TEST_CASE("functions of one double") {
  check<double>(2, FUNCTION(exp));
  check<double>(1, FUNCTION(log));
  check<double>(4, FUNCTION(tanh));
  check<double>(2.5, FUNCTION(expm1));
  check<double>(2, FUNCTION(log1p));
  check<double>(0.51, FUNCTION(sqrt));
  check<double>(2, FUNCTION(exp2));
  check<double>(2, FUNCTION(log2));
  check<double>(2, FUNCTION(sin), 100.0);
  check<double>(2, FUNCTION(cos), 100.0);
  check<double>(0, FUNCTION(floor));
  check<double>(0, FUNCTION(ceil));
  check<double>(0, FUNCTION(trunc));
  check<double>(0, FUNCTION(nearbyint));
}

TEST_CASE("powers") {
  std::mt19937 random(2);
  for (int k = 0; k < 100000; ++k) {
    float x = std::ldexp(static_cast<float>(random() % 10000) / 5000, static_cast<int>(random() % 20) - 10);
    float y = static_cast<float>(static_cast<int>(random() % 4000) - 2000) / 100;
    if (k % 3 == 0) x = -x, y = std::floor(y);
    INFO(x << " to the power of " << y);
    REQUIRE(error_of(pow(bare_number<float>(x), bare_number<float>(y)).x, std::pow(static_cast<long double>(x), y)) <=
            0.51);
  }
  const double all[] = {0.0, -0.0, 1, -1, 2, -2, 0.5, 3, -3, 1e308, std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};
  for (const double x : all)
    for (const double y : all) {
      INFO(x << " to the power of " << y);
      const double got = pow(bare_number<double>(x), bare_number<double>(y)).x, wanted = std::pow(x, y);
      if (x == -1 && std::isinf(y)) continue;  // 1 in C, and NaN here
      const double exponent = std::fabs(y * std::log(std::fabs(x)));
      CHECK(error_of(got, wanted) <= (exponent < 800 ? 4 + 0.2 * exponent : 4));
    }
}
