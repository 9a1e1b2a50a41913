// SPDX-License-Identifier: BSL-1.0
// heaviside(x, at_zero): the step from 0 to 1.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct heaviside_operation : composed_operation<heaviside_operation, 2> {
  static constexpr std::string_view name = "heaviside";
  static constexpr element_kind takes = element_kind::numbers;
  static constexpr value forward(value x, value at_zero) {
    const value step = cast(x > 0.0, x.type());
    return where(x == 0.0, at_zero, step);
  }
};

/// 0 where x is below 0, 1 where it is above, and at_zero where it is 0, element by element. Shapes
/// broadcast. The derivative by x is 0.
/// @formula y = 0 for x < 0, at_zero for x = 0, 1 for x > 0
/// @shapes two of one type of numbers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.heaviside
/// @jax jnp.heaviside
/// @given x = [-1.5, 0, 2]
/// @gives tl::heaviside(x, 0.5_c) = [0, 0.5, 1]
template <class X, class A>
  requires value_operands<X, A>
constexpr value heaviside(X x, A at_zero) {
  return make<heaviside_operation>(x, at_zero);
}
template <class X, class A>
  requires expression_operands<X, A>
TAPELESS_FACTORY auto heaviside(X x, A at_zero) {
  return make<heaviside_operation>(x, at_zero);
}

// Its number as a template argument, which is refused.
template <plain_number auto AtZero, class... X>
constexpr auto heaviside(const X&... x) {
  return detail::refuse_call<sentence{"heaviside"}, detail::numbers_are_arguments, sentence{"(x, 0.5_c)"}>(
      x...);
}

}  // namespace tapeless
