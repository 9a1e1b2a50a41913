// SPDX-License-Identifier: BSL-1.0
// Normal random numbers from counters, the same to the last bit on every policy: the normal quantile
// (Wichura, Algorithm AS 241, 1988) of a uniform number.
#pragma once

#include <bit>
#include <cstdint>
#include <numbers>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/pointwise/erfinv.hpp>
#include <tapeless/ops/random/random_bits.hpp>

namespace tapeless {

namespace detail {

/// A number whose a b + c is rounded once, also on targets without an instruction for it: compilers decide
/// for each target anew how they round what is written a * b + c.
template <class T>
struct rounded_once {
  T number;
};
template <class T>
constexpr rounded_once<T> number_like(rounded_once<T>, double x) {
  return {static_cast<T>(x)};
}
template <class T>
constexpr rounded_once<T> multiply_add(rounded_once<T> a, rounded_once<T> b, rounded_once<T> c) {
  return {std::fma(a.number, b.number, c.number)};
}
template <class T>
constexpr rounded_once<T> operator/(rounded_once<T> a, rounded_once<T> b) {
  return {a.number / b.number};
}

/// log(m 2^-53) for a whole number m from 1 to 2^52, within 2 units in the last place: twice the inverse
/// hyperbolic tangent of (f - 1) / (f + 1), for the mantissa f from sqrt(1/2) to sqrt(2).
template <class Integer>
constexpr double log_of_probability(Integer m) {
  const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(m));
  const bool is_large = (bits & 0xfffffffffffffu) > 0x6a09e667f3bcdu;
  const int exponent = static_cast<int>(bits >> 52) - 1023 + (is_large ? 1 : 0) - 53;
  const double f = std::bit_cast<double>((bits & 0xfffffffffffffu) |
                                         ((is_large ? std::uint64_t{1022} : std::uint64_t{1023}) << 52));
  const double s = (f - 1) / (f + 1);
  const rounded_once<double> square{s * s};
  const double sum = polynomial(square, 2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11,
                                2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3, 2.0)
                         .number;
  return std::fma(static_cast<double>(exponent), std::numbers::ln2, s * sum);
}

/// The x that a normal variable is below with the probability (k + 1/2) 2^-52, 0 <= k < 2^52: finite, from
/// -8.21 to 8.21, and within 8 units in the last place of double.
template <class Integer>
constexpr double normal_quantile(Integer k) {
  constexpr Integer middle = Integer{1} << 52;
  const Integer n = 2 * k + 1 - middle;
  const double q = static_cast<double>(n) * 0x1p-53;  // the probability - 1/2, exactly
  if (q <= 0.425 && q >= -0.425)
    return q * normal_quantile_middle(rounded_once<double>{std::fma(-q, q, 0.180625)}).number;
  const double root = std::sqrt(-log_of_probability(n < 0 ? middle + n : middle - n));
  const rounded_once<double> size = root > 5 ? normal_quantile_far(rounded_once<double>{root - 5})
                                             : normal_quantile_outside(rounded_once<double>{root - 1.6});
  return n < 0 ? -size.number : size.number;
}

}  // namespace detail

/// A multiple of 2^-53 in [0, 1), from an index and a key.
struct random_double_operation : pointwise_operation<random_double_operation, 2> {
  static constexpr std::string_view name = "random_double";
  static constexpr element result = element::f64;
  static constexpr double apply(std::int64_t index, std::int64_t key) {
    return static_cast<double>(detail::random_bits(index, key) >> 11) * 0x1p-53;
  }
  static constexpr value cotangent(int, value, value, value, value) { return {}; }
};

/// A normal number of mean 0 and deviation 1, from an index and a key.
struct random_normal_operation : pointwise_operation<random_normal_operation, 2> {
  static constexpr std::string_view name = "random_normal";
  static constexpr element result = element::f64;
  template <class Index>
  static constexpr double apply(Index index, Index key) {
    return detail::normal_quantile(static_cast<std::int64_t>(detail::random_bits(index, key) >> 12));
  }
  static constexpr value cotangent(int, value, value, value, value) { return {}; }
};

}  // namespace tapeless
