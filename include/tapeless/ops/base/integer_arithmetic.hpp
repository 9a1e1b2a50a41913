// SPDX-License-Identifier: BSL-1.0
// Arithmetic of integers that is defined for all of them, as NumPy's is: what does not fit wraps, and a
// quotient or remainder by 0 is 0. C++ leaves both undefined, and processors end the program at some of them.
#pragma once

#include <type_traits>

namespace tapeless::detail {

template <class T, bool IsInteger = std::is_integral_v<T>>
struct wrapping {
  using type = T;
};
template <class T>
struct wrapping<T, true> {
  using type = std::make_unsigned_t<decltype(+T())>;  // narrower ones are computed as int
};
/// The type in which T's sums and products wrap: of integers an unsigned one, others are their own.
template <class T>
using wrapping_type = typename wrapping<T>::type;

template <class T>
constexpr T wrapped_sum(T a, T b) {
  return static_cast<T>(static_cast<wrapping_type<T>>(a) + static_cast<wrapping_type<T>>(b));
}
template <class T>
constexpr T wrapped_difference(T a, T b) {
  return static_cast<T>(static_cast<wrapping_type<T>>(a) - static_cast<wrapping_type<T>>(b));
}
template <class T>
constexpr T wrapped_product(T a, T b) {
  return static_cast<T>(static_cast<wrapping_type<T>>(a) * static_cast<wrapping_type<T>>(b));
}
template <class T>
constexpr bool is_minus_one(T x) {
  return std::is_signed_v<T> && x == static_cast<T>(-1);
}
/// a / b, rounded towards zero; 0 where b is 0. That of the least integer and -1 wraps.
template <class T>
constexpr T wrapped_quotient(T a, T b) {
  if (b == T(0)) return T(0);
  return is_minus_one(b) ? wrapped_difference(T(0), a) : static_cast<T>(a / b);
}
/// a - b (a / b), with the sign of a; 0 where b is 0.
template <class T>
constexpr T integer_remainder(T a, T b) {
  return b == T(0) || is_minus_one(b) ? T(0) : static_cast<T>(a % b);
}

}  // namespace tapeless::detail
