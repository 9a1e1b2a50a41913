// SPDX-License-Identifier: BSL-1.0
// remainder(a, b): the remainder with the sign of b; mod by the name that PyTorch gives it.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/mod.hpp>

namespace tapeless {

struct remainder_operation : composed_operation<remainder_operation, 2> {
  static constexpr std::string_view name = "remainder";
  static constexpr element_kind takes = element_kind::numbers;
  static constexpr value forward(value a, value b) { return mod(a, b); }
};

/// mod(a, b): a - b floor(a / b), without rounding, with the sign of b; std::remainder is another function.
/// Element by element; shapes broadcast. The derivative by b is NaN where y is.
/// @formula y = a - b floor(a / b); dy/da = 1, dy/db = -floor(a / b)
/// @shapes two of one type of numbers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.remainder
/// @jax jnp.remainder
/// @given a = [-5, 5, 5.5]; b = [3, 3, 2]
/// @gives tl::remainder(a, b) = [1, 2, 1.5]
template <class A, class B>
  requires value_operands<A, B>
constexpr value remainder(A a, B b) {
  return make<remainder_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto remainder(A a, B b) {
  return make<remainder_operation>(a, b);
}

}  // namespace tapeless
