// SPDX-License-Identifier: BSL-1.0
// hardshrink(x, lambda): x, and 0 near 0.
#pragma once

#include <tapeless/expr/constant.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct hardshrink_operation {
  static constexpr std::string_view name = "hardshrink";
  static constexpr int arity = 2;
  static constexpr value build(value x, value lambda) { return where(x <= lambda && x >= -lambda, 0.0, x); }
};

/// 0 for |x| <= lambda, x otherwise, element by element; shapes broadcast. Without lambda, which is 0 or
/// more, it is 0.5.
/// @formula y = x for |x| > lambda, else 0
/// @shapes floating, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.nn.functional.hardshrink
/// @jax jnp.where(jnp.abs(x) > 0.5, x, 0)
/// @given x = [-2, 0.25, 3]
/// @gives tl::hardshrink(x) = [-2, 0, 3]
template <class X, class P>
  requires value_operands<X, P>
constexpr value hardshrink(X x, P lambda) {
  return make<hardshrink_operation>(x, lambda);
}
template <class X, class P>
  requires expression_operands<X, P>
TAPELESS_FACTORY auto hardshrink(X x, P lambda) {
  return make<hardshrink_operation>(x, lambda);
}
constexpr value hardshrink(is_value auto x) { return make<hardshrink_operation>(x, 0.5); }
TAPELESS_FACTORY auto hardshrink(expression_operand auto x) {
  return make<hardshrink_operation>(x, constant<0.5>);
}

// Its number as a template argument, which is refused.
template <plain_number auto Lambda, class... X>
constexpr auto hardshrink(const X&... x) {
  return detail::refuse_call<sentence{"hardshrink"}, detail::numbers_are_arguments, sentence{"(x, 0.2_c)"}>(
      x...);
}

}  // namespace tapeless
