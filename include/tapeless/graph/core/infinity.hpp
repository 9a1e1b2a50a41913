// SPDX-License-Identifier: BSL-1.0
// What stands above and below all numbers: infinity, but with -ffast-math the largest finite number.
// Compilers take it then that nothing is infinite or NaN, and whatever is computed with such a number, or
// chosen, may be anything.
#pragma once

#include <limits>

#include <tapeless/graph/core/element.hpp>

namespace tapeless {

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
inline constexpr bool only_finite = true;
#else
inline constexpr bool only_finite = false;
#endif

/// No number of the type is above it.
template <class T>
inline constexpr T above_all =
    std::numeric_limits<T>::has_infinity && !only_finite ? std::numeric_limits<T>::infinity()
                                                         : std::numeric_limits<T>::max();
/// No number of the type is below it.
template <class T>
inline constexpr T below_all =
    std::numeric_limits<T>::has_infinity && !only_finite ? -std::numeric_limits<T>::infinity()
                                                         : std::numeric_limits<T>::lowest();

/// NaN; where nothing may be NaN, 0.
template <class T>
inline constexpr T no_number = only_finite ? T(0) : std::numeric_limits<T>::quiet_NaN();

namespace detail {

/// The largest finite number of a type.
constexpr double largest_finite(element type) {
  if (type == element::f16) return 65504;
  if (type == element::bf16) return 0x1.fep127;
  return type == element::f32 ? static_cast<double>(std::numeric_limits<float>::max())
                              : std::numeric_limits<double>::max();
}

}  // namespace detail

/// A constant of a graph as kernels have it, which never compare or choose an infinity where nothing may be
/// one.
constexpr double constant_in_kernels(double x, element type) {
  if (!only_finite) return x;
  const double most = detail::largest_finite(type);
  return x > most ? most : x < -most ? -most : x;
}

}  // namespace tapeless
