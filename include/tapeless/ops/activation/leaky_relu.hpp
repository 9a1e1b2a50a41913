// SPDX-License-Identifier: BSL-1.0
// leaky_relu(x, slope): a rectifier that lets a part of what is negative through (Maas et al., 2013).
#pragma once

#include <tapeless/expr/constant.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct leaky_relu_operation {
  static constexpr std::string_view name = "leaky_relu";
  static constexpr int arity = 2;
  static constexpr value build(value x, value slope) { return where(x > 0.0, x, slope * x); }
};

/// x for x > 0, slope x otherwise, element by element; shapes broadcast, so that a slope can be learned (He
/// et al., 2015). Without a slope it is 0.01; the derivative at 0 is the slope.
/// @formula y = x for x > 0, slope x otherwise
/// @shapes floating, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.nn.functional.leaky_relu, prelu
/// @jax jax.nn.leaky_relu
/// @given x = [-2, 0, 3]
/// @gives tl::leaky_relu(x) = [-0.02, 0, 3]
template <class X, class P>
  requires value_operands<X, P>
constexpr value leaky_relu(X x, P slope) {
  return make<leaky_relu_operation>(x, slope);
}
template <class X, class P>
  requires expression_operands<X, P>
TAPELESS_FACTORY auto leaky_relu(X x, P slope) {
  return make<leaky_relu_operation>(x, slope);
}
constexpr value leaky_relu(is_value auto x) { return make<leaky_relu_operation>(x, 0.01); }
TAPELESS_FACTORY auto leaky_relu(expression_operand auto x) {
  return make<leaky_relu_operation>(x, constant<0.01>);
}

// Its number as a template argument, which is refused.
template <plain_number auto Slope, class... X>
constexpr auto leaky_relu(const X&... x) {
  return detail::refuse_call<sentence{"leaky_relu"}, detail::numbers_are_arguments, sentence{"(x, 0.2_c)"}>(
      x...);
}

}  // namespace tapeless
