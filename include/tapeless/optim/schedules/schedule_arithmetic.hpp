// SPDX-License-Identifier: BSL-1.0
// The functions that schedules take, in double: the same bits on every machine, without a library.
#pragma once

#include <cstdint>

namespace tapeless::detail {

/// The Taylor series of the cosine and of the sine, for z from 0 to pi / 4.
constexpr double cosine_series(double z) {
  double sum = 0;
  for (int k = 18; k > 0; k -= 2) sum = z * z / static_cast<double>(-k * (k - 1)) * (1 + sum);
  return 1 + sum;
}
constexpr double sine_series(double z) {
  double sum = 0;
  for (int k = 17; k > 1; k -= 2) sum = z * z / static_cast<double>(-k * (k - 1)) * (1 + sum);
  return z + z * sum;
}

/// cos(pi x), within 2e-16 for x from 0 to 1, and from there on with its period of 2. Precondition: x >= 0.
constexpr double cosine_of_half_turns(double x) {
  constexpr double pi = 3.14159265358979323846;
  if (x >= 2) x -= 2 * static_cast<double>(static_cast<std::int64_t>(x / 2));
  if (x > 1) x = 2 - x;
  if (x < 0.25) return cosine_series(pi * x);
  if (x > 0.75) return -cosine_series(pi * (1 - x));
  return x < 0.5 ? sine_series(pi * (0.5 - x)) : -sine_series(pi * (x - 0.5));
}

/// x^n, by squares, within n 2^-53 of it. Precondition: n >= 0.
constexpr double whole_power(double x, std::int64_t n) {
  double power = 1;
  for (; n > 0; n /= 2, x *= x)
    if (n % 2 != 0) power *= x;
  return power;
}

}  // namespace tapeless::detail
