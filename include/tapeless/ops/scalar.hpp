// SPDX-License-Identifier: BSL-1.0
// The few functions of numbers that the operations need and the standard library lacks. A policy has the
// same ones for its vectors of numbers.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

namespace tapeless {

/// The number, of the first argument's type.
template <class T>
constexpr T number_like(T, double x) {
  return static_cast<T>(x);
}

template <class T>
constexpr T choose(bool condition, T a, T b) {
  return condition ? a : b;
}

/// -1, 0 or 1; NaN for NaN.
template <class T>
constexpr T sign_of(T x) {
  return x > T(0) ? T(1) : x < T(0) ? T(-1) : x;
}

/// The larger one; NaN if one is NaN.
template <class T>
constexpr T larger(T a, T b) {
  return a < b || b != b ? b : a;
}

/// The smaller one; NaN if one is NaN.
template <class T>
constexpr T smaller(T a, T b) {
  return b < a || b != b ? b : a;
}

/// max(x, 0); NaN for NaN.
template <class T>
constexpr T positive_part(T x) {
  return x < T(0) ? T(0) : x;
}

/// a - b*trunc(a/b), without rounding.
template <class T>
constexpr T remainder_of(T a, T b) {
  if constexpr (std::is_integral<T>::value) {
    return b == static_cast<T>(-1) ? T(0) : static_cast<T>(a % b);  // the quotient could overflow
  } else {
    return std::fmod(a, b);
  }
}

/// The number without its fraction, as a whole one of type To: the nearest that there is for one that is too
/// large, the lowest for NaN. A cast of C++'s is undefined for these, and differs from one machine to
/// another.
template <class To, class T>
constexpr To whole_part(T x) {
  using limits = std::numeric_limits<To>;
  constexpr T end = static_cast<T>(limits::max() / 2 + 1) * T(2);  // the first that is too large
  if (x >= end) return limits::max();
  return x >= static_cast<T>(limits::lowest()) ? static_cast<To>(x) : limits::lowest();
}

/// 1 / (1 + e^-x), without overflow.
template <class T>
constexpr T logistic(T x) {
  return T(1) / (T(1) + std::exp(-x));
}

}  // namespace tapeless
