// SPDX-License-Identifier: BSL-1.0
// bitwise_or(a, b): the bits that a or b has.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/bitwise_and.hpp>

namespace tapeless {

/// The bits of a, and those of b that a has not: no sum carries.
struct bitwise_or_operation : composed_operation<bitwise_or_operation, 2> {
  static constexpr std::string_view name = "bitwise_or";
  static constexpr element_kind takes = element_kind::integers;
  static constexpr value forward(value a, value b) { return a + (b - bitwise_and(a, b)); }
};

/// a | b, element by element; shapes broadcast.
/// @formula y = a | b; without a derivative
/// @shapes two of one type of integers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.bitwise_or
/// @jax jnp.bitwise_or
/// @given a = int32 [12, 7]; b = int32 [10, -2]
/// @gives tl::bitwise_or(a, b) = [14, -1]
template <class A, class B>
  requires value_operands<A, B>
constexpr value bitwise_or(A a, B b) {
  return make<bitwise_or_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto bitwise_or(A a, B b) {
  return make<bitwise_or_operation>(a, b);
}

}  // namespace tapeless
