// SPDX-License-Identifier: BSL-1.0
// bitwise_and(a, b): the bits that both have.
#pragma once

#include <type_traits>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/cast.hpp>

namespace tapeless {

namespace detail {

/// a & b, of integers.
template <class T>
constexpr T common_bits(T a, [[maybe_unused]] T b) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(a & b);
  return a;
}

}  // namespace detail

struct bitwise_and_operation : pointwise_operation<bitwise_and_operation, 2> {
  static constexpr std::string_view name = "bitwise_and";
  static constexpr element_kind takes = element_kind::integers;
  static constexpr auto apply(auto a, auto b) { return detail::common_bits(a, b); }
  static constexpr value cotangent(int, auto, auto, auto, auto) { return {}; }
};

/// a & b, element by element; shapes broadcast.
/// @formula y = a & b; without a derivative
/// @shapes two of one type of integers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.bitwise_and
/// @jax jnp.bitwise_and
/// @given a = int32 [12, 7]; b = int32 [10, -2]
/// @gives tl::bitwise_and(a, b) = [8, 6]
template <class A, class B>
  requires value_operands<A, B>
constexpr value bitwise_and(A a, B b) {
  return make<bitwise_and_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto bitwise_and(A a, B b) {
  return make<bitwise_and_operation>(a, b);
}

}  // namespace tapeless
