// SPDX-License-Identifier: BSL-1.0
// Whole numbers next to those of vectors, and remainders.
#pragma once

#include <limits>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/run/cpu/vectors/vector_selection.hpp>

namespace tapeless::cpu_kernels {

// With their sign, which Eigen's loses on targets without an instruction.
template <class T>
[[gnu::always_inline]] inline wide<T> floor(wide<T> x) {
  return with_sign(wide<T>{Eigen::internal::pfloor(x.p)}, x);
}
template <class T>
[[gnu::always_inline]] inline wide<T> ceil(wide<T> x) {
  return with_sign(wide<T>{Eigen::internal::pceil(x.p)}, x);
}
template <class T>
[[gnu::always_inline]] inline wide<T> nearbyint(wide<T> x) {
  return with_sign(wide<T>{Eigen::internal::print(x.p)}, x);
}
template <class T>
[[gnu::always_inline]] inline wide<T> trunc(wide<T> x) {
  return with_sign(wide<T>{Eigen::internal::pfloor(abs(x).p)}, x);
}

/// x - y trunc(x/y), without rounding. Where the quotient has few digits so has the remainder, and an error
/// of the quotient by 1 is made up for.
template <many_lanes T>
[[gnu::always_inline]] inline wide<T> remainder_of(wide<T> x, wide<T> y) {
  const wide<T> a = abs(x), b = abs(y), zero = splat(T(0));
  const wide<T> quotient{Eigen::internal::pfloor((a / b).p)};
  wide<T> rest = minus_product(a, quotient, b);
  rest = choose(rest < zero, rest + b, rest);
  rest = choose(rest < b, rest, rest - b);
  const wide<T> result = with_sign(choose(a < b, a, rest), x);
  constexpr int digits = std::numeric_limits<T>::digits;
  const wide_mask<T> easy =
      (a < b && b == b) || (quotient < splat(std::ldexp(T(1), digits - 1)) &&
                            a < splat(std::ldexp(T(1), std::numeric_limits<T>::max_exponent - 32)));
  if (!any(!easy)) return result;
  return choose(easy, result, one_by_one(x, y, [](T t, T u) { return std::fmod(t, u); }));
}

}  // namespace tapeless::cpu_kernels
