// SPDX-License-Identifier: BSL-1.0
// bitwise_xor(a, b): the bits that just one of a and b has.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/bitwise_and.hpp>

namespace tapeless {

/// The bits of each that both have not: no sum carries.
struct bitwise_xor_operation : composed_operation<bitwise_xor_operation, 2> {
  static constexpr std::string_view name = "bitwise_xor";
  static constexpr element_kind takes = element_kind::integers;
  static constexpr value forward(value a, value b) {
    const value both = bitwise_and(a, b);
    return (a - both) + (b - both);
  }
};

/// a ^ b, element by element; shapes broadcast.
/// @formula y = a ^ b; without a derivative
/// @shapes two of one type of integers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.bitwise_xor
/// @jax jnp.bitwise_xor
/// @given a = int32 [12, 7]; b = int32 [10, -2]
/// @gives tl::bitwise_xor(a, b) = [6, -7]
template <class A, class B>
  requires value_operands<A, B>
constexpr value bitwise_xor(A a, B b) {
  return make<bitwise_xor_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto bitwise_xor(A a, B b) {
  return make<bitwise_xor_operation>(a, b);
}

}  // namespace tapeless
