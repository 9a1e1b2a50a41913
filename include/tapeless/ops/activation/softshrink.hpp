// SPDX-License-Identifier: BSL-1.0
// softshrink(x, lambda): x drawn towards 0, and 0 near it.
#pragma once

#include <tapeless/expr/constant.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct softshrink_operation {
  static constexpr std::string_view name = "softshrink";
  static constexpr int arity = 2;
  static constexpr value build(value x, value lambda) {
    const value near = x <= lambda && x >= -lambda;
    return where(near, 0.0, where(x > 0.0, x - lambda, x + lambda));
  }
};

/// x - lambda for x > lambda, x + lambda for x < -lambda, 0 between, element by element; shapes broadcast.
/// Without lambda, which is 0 or more, it is 0.5. The derivative at the bends is 0.
/// @formula y = sign(x) max(|x| - lambda, 0)
/// @shapes floating, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.nn.functional.softshrink
/// @jax jnp.sign(x) * jnp.maximum(jnp.abs(x) - 0.5, 0)
/// @given x = [-2, 0.25, 3]
/// @gives tl::softshrink(x) = [-1.5, 0, 2.5]
template <class X, class P>
  requires value_operands<X, P>
constexpr value softshrink(X x, P lambda) {
  return make<softshrink_operation>(x, lambda);
}
template <class X, class P>
  requires expression_operands<X, P>
TAPELESS_FACTORY auto softshrink(X x, P lambda) {
  return make<softshrink_operation>(x, lambda);
}
constexpr value softshrink(is_value auto x) { return make<softshrink_operation>(x, 0.5); }
TAPELESS_FACTORY auto softshrink(expression_operand auto x) {
  return make<softshrink_operation>(x, constant<0.5>);
}

// Its number as a template argument, which is refused.
template <plain_number auto Lambda, class... X>
constexpr auto softshrink(const X&... x) {
  return detail::refuse_call<sentence{"softshrink"}, detail::numbers_are_arguments, sentence{"(x, 0.2_c)"}>(
      x...);
}

}  // namespace tapeless
