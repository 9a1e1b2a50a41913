// SPDX-License-Identifier: BSL-1.0
// bitwise_left_shift(a, b), bitwise_right_shift(a, b): bits moved.
#pragma once

#include <limits>
#include <type_traits>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/cast.hpp>

namespace tapeless {

namespace detail {

/// a << b of integers, without the bits that leave it; 0 for a b that is negative or all bits.
template <class T>
constexpr T shifted_left(T a, [[maybe_unused]] T b) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    using bits = std::make_unsigned_t<T>;
    if (b < T(0) || b >= static_cast<T>(std::numeric_limits<bits>::digits)) return T(0);
    return static_cast<T>(static_cast<bits>(a) * static_cast<bits>(bits{1} << b));
  }
  return a;
}
/// a >> b of integers, rounded down; as far as it goes for a b that is negative or more.
template <class T>
constexpr T shifted_right(T a, [[maybe_unused]] T b) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr int most = std::numeric_limits<T>::digits;
    if (b < T(0) || b >= static_cast<T>(most))
      return std::is_signed_v<T> && a < T(0) ? static_cast<T>(-1) : T(0);
    return static_cast<T>(a >> b);
  }
  return a;
}

}  // namespace detail

struct left_shift_operation : pointwise_operation<left_shift_operation, 2> {
  static constexpr std::string_view name = "bitwise_left_shift";
  static constexpr element_kind takes = element_kind::integers;
  static constexpr auto apply(auto a, auto b) { return detail::shifted_left(a, b); }
  static constexpr value cotangent(int, auto, auto, auto, auto) { return {}; }
};
struct right_shift_operation : pointwise_operation<right_shift_operation, 2> {
  static constexpr std::string_view name = "bitwise_right_shift";
  static constexpr element_kind takes = element_kind::integers;
  static constexpr auto apply(auto a, auto b) { return detail::shifted_right(a, b); }
  static constexpr value cotangent(int, auto, auto, auto, auto) { return {}; }
};

/// a 2^b, without the bits that have no place, element by element; 0 where b is negative or as many as there
/// are bits. Shapes broadcast.
/// @formula y = a << b; without a derivative
/// @shapes two of one type of integers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.bitwise_left_shift
/// @jax jnp.left_shift
/// @given a = int32 [3, -1]; b = int32 [2, 4]
/// @gives tl::bitwise_left_shift(a, b) = [12, -16]
template <class A, class B>
  requires value_operands<A, B>
constexpr value bitwise_left_shift(A a, B b) {
  return make<left_shift_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto bitwise_left_shift(A a, B b) {
  return make<left_shift_operation>(a, b);
}

/// a / 2^b rounded down, element by element; where b is negative or more than there are bits, 0 or -1. Shapes
/// broadcast.
/// @formula y = a >> b; without a derivative
/// @shapes two of one type of integers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.bitwise_right_shift
/// @jax jnp.right_shift
/// @given a = int32 [13, -1]; b = int32 [2, 4]
/// @gives tl::bitwise_right_shift(a, b) = [3, -1]
template <class A, class B>
  requires value_operands<A, B>
constexpr value bitwise_right_shift(A a, B b) {
  return make<right_shift_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto bitwise_right_shift(A a, B b) {
  return make<right_shift_operation>(a, b);
}

}  // namespace tapeless
