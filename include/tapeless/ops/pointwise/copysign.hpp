// SPDX-License-Identifier: BSL-1.0
// copysign(a, b): the size of a with the sign of b.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/signbit.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct copysign_operation : composed_operation<copysign_operation, 2> {
  static constexpr std::string_view name = "copysign";
  static constexpr value forward(value a, value b) {
    const value size = abs(a);
    return where(signbit(b), -size, size);
  }
};

/// |a| where b is 0 or more, -|a| where b is below 0 or -0, element by element. Shapes broadcast. The
/// derivative by a is 0 where a is 0, that by b is 0.
/// @formula y = |a| sign(b)
/// @shapes two of one floating type, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.copysign
/// @jax jnp.copysign
/// @given a = [1, -2, 3]; b = [-1, 5, -0.5]
/// @gives tl::copysign(a, b) = [-1, 2, -3]
template <class A, class B>
  requires value_operands<A, B>
constexpr value copysign(A a, B b) {
  return make<copysign_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto copysign(A a, B b) {
  return make<copysign_operation>(a, b);
}

}  // namespace tapeless
