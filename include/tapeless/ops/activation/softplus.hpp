// SPDX-License-Identifier: BSL-1.0
// softplus(x, beta): the smooth rectifier, nearer to the rectifier for larger beta.
#pragma once

#include <tapeless/ops/activation/softplus_operation.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct softplus_of_two_operation {
  static constexpr std::string_view name = "softplus";
  static constexpr int arity = 2;
  static constexpr value build(value x, value beta) { return softplus(beta * x) / beta; }
};

/// log(1 + e^(beta x)) / beta, element by element, exact for every x; shapes broadcast.
/// @formula y = log(1 + e^(beta x)) / beta
/// @shapes floating, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.nn.functional.softplus(beta=)
/// @jax jax.nn.softplus(beta * x) / beta
/// @given x = [-1, 0, 2]
/// @gives tl::softplus(x, 2_c) = [0.06346, 0.3466, 2.009]
template <class X, class P>
  requires value_operands<X, P>
constexpr value softplus(X x, P beta) {
  return make<softplus_of_two_operation>(x, beta);
}
template <class X, class P>
  requires expression_operands<X, P>
TAPELESS_FACTORY auto softplus(X x, P beta) {
  return make<softplus_of_two_operation>(x, beta);
}

// Its number as a template argument, which is refused.
template <plain_number auto Beta, class... X>
constexpr auto softplus(const X&... x) {
  return detail::refuse_call<sentence{"softplus"}, detail::numbers_are_arguments, sentence{"(x, 2_c)"}>(x...);
}

}  // namespace tapeless
