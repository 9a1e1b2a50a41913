// SPDX-License-Identifier: BSL-1.0
// floor_divide(a, b): the quotient, rounded down.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/fmod.hpp>
#include <tapeless/ops/pointwise/round.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct floor_divide_operation : composed_operation<floor_divide_operation, 2> {
  static constexpr std::string_view name = "floor_divide";
  static constexpr element_kind takes = element_kind::numbers;
  static constexpr value forward(value a, value b) {
    const value rest = fmod(a, b), below = rest != 0.0 && (rest < 0.0) != (b < 0.0);
    const value down = (a - rest) / b - cast(below, a.type());
    return is_floating(a.type()) ? round(where(b == 0.0, a / b, down)) : down;
  }
};

/// floor(a / b) of the exact quotient, as Python's a // b, element by element; of whole numbers 0 where
/// b is 0. Shapes broadcast. Its derivative is 0.
/// @formula y = the greatest whole number <= a / b; without a derivative
/// @shapes two of one type of numbers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.floor_divide, a // b
/// @jax jnp.floor_divide, a // b
/// @given a = [-5, 5, 5.5]; b = [3, 3, 2]
/// @gives tl::floor_divide(a, b) = [-2, 1, 2]
template <class A, class B>
  requires value_operands<A, B>
constexpr value floor_divide(A a, B b) {
  return make<floor_divide_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto floor_divide(A a, B b) {
  return make<floor_divide_operation>(a, b);
}

}  // namespace tapeless
