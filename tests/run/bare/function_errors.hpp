// SPDX-License-Identifier: BSL-1.0
// Functions of bare numbers against the C library's in long double, in units of the last place.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <tapeless/run/bare/bare_number.hpp>

#include "catch.hpp"

namespace test {

using tapeless::bare_kernels::bare_number;

template <class T>
double error_of(T got, long double exact) {
  const T wanted = static_cast<T>(exact);
  if (got == wanted || (std::isnan(got) && std::isnan(wanted))) return 0;
  if (!std::isfinite(got) || !std::isfinite(wanted)) return std::numeric_limits<double>::infinity();
  const long double size = std::fabs(wanted);
  const long double last_place =
      std::nextafter(static_cast<T>(size), std::numeric_limits<T>::infinity()) - size;
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
    const double below_one = std::ldexp(static_cast<double>(bits >> 11), -53);
    f(static_cast<T>(below_one * 200 - 100));
    f(static_cast<T>(std::ldexp(below_one, k % 16 - 11)));  // where most functions bend
  }
  for (const double x :
       {0.0, 0.5, 1.0, 1.5, 2.5, 88.72, 89.0, 103.9, 104.0, 709.7, 710.0, 745.1, 746.0, 8388607.5})
    for (const double sign : {1.0, -1.0}) f(static_cast<T>(sign * x));
  using limits = std::numeric_limits<T>;
  for (const T x :
       {limits::infinity(), limits::quiet_NaN(), limits::max(), limits::min(), limits::denorm_min()}) {
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

}  // namespace test
