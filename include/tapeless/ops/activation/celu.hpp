// SPDX-License-Identifier: BSL-1.0
// celu(x, alpha): the exponential linear unit that is smooth for every alpha (Barron, 2017).
#pragma once

#include <tapeless/expr/constant.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/expm1.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct celu_operation {
  static constexpr std::string_view name = "celu";
  static constexpr int arity = 2;
  static constexpr value build(value x, value alpha) {
    const value positive = x > 0.0;
    return where(positive, x, alpha * expm1(where(positive, 0.0, x) / alpha));
  }
};

/// x for x > 0, alpha (e^(x/alpha) - 1) otherwise, element by element; shapes broadcast. Without alpha it
/// is 1.
/// @formula y = max(x, 0) + min(alpha (e^(x/alpha) - 1), 0)
/// @shapes floating, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.nn.functional.celu
/// @jax jax.nn.celu
/// @given x = [-2, 0, 3]
/// @gives tl::celu(x) = [-0.8647, 0, 3]
template <class X, class P>
  requires value_operands<X, P>
constexpr value celu(X x, P alpha) {
  return make<celu_operation>(x, alpha);
}
template <class X, class P>
  requires expression_operands<X, P>
TAPELESS_FACTORY auto celu(X x, P alpha) {
  return make<celu_operation>(x, alpha);
}
constexpr value celu(is_value auto x) { return make<celu_operation>(x, 1.0); }
TAPELESS_FACTORY auto celu(expression_operand auto x) { return make<celu_operation>(x, constant<1.0>); }

// Its number as a template argument, which is refused.
template <plain_number auto Alpha, class... X>
constexpr auto celu(const X&... x) {
  return detail::refuse_call<sentence{"celu"}, detail::numbers_are_arguments, sentence{"(x, 1.5_c)"}>(x...);
}

}  // namespace tapeless
