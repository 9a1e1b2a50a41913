// SPDX-License-Identifier: BSL-1.0
// elu(x, alpha): the exponential linear unit (Clevert et al., 2016).
#pragma once

#include <tapeless/expr/constant.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/expm1.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct elu_operation {
  static constexpr std::string_view name = "elu";
  static constexpr int arity = 2;
  static constexpr value build(value x, value alpha) {
    if (!detail::require_kind(name, x, element_kind::floating)) return x;
    const value positive = x > 0.0;
    return where(positive, x, alpha * expm1(where(positive, 0.0, x)));
  }
};

/// x for x > 0, alpha (e^x - 1) otherwise, element by element; shapes broadcast. Without alpha it is 1; the
/// derivative at 0 is alpha.
/// @formula y = x for x > 0, alpha (e^x - 1) otherwise
/// @shapes floating, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.nn.functional.elu
/// @jax jax.nn.elu
/// @given x = [-2, 0, 3]
/// @gives tl::elu(x) = [-0.8647, 0, 3]
template <class X, class P>
  requires value_operands<X, P>
constexpr value elu(X x, P alpha) {
  return make<elu_operation>(x, alpha);
}
template <class X, class P>
  requires expression_operands<X, P>
TAPELESS_FACTORY auto elu(X x, P alpha) {
  return make<elu_operation>(x, alpha);
}
constexpr value elu(is_value auto x) { return make<elu_operation>(x, 1.0); }
TAPELESS_FACTORY auto elu(expression_operand auto x) { return make<elu_operation>(x, constant<1.0>); }

// Its number as a template argument, which is refused.
template <plain_number auto Alpha, class... X>
constexpr auto elu(const X&... x) {
  return detail::refuse_call<sentence{"elu"}, detail::numbers_are_arguments, sentence{"(x, 1.5_c)"}>(x...);
}

}  // namespace tapeless
