// SPDX-License-Identifier: BSL-1.0
// hardtanh(x, low, high): the hyperbolic tangent in three straight pieces (Collobert, 2004).
#pragma once

#include <tapeless/expr/constant.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct hardtanh_operation {
  static constexpr std::string_view name = "hardtanh";
  static constexpr int arity = 3;
  static constexpr value build(value x, value low, value high) {
    return where(x <= low, low, where(x >= high, high, x));
  }
};

/// low for x <= low, high for x >= high, x between, element by element; shapes broadcast. Without bounds they
/// are -1 and 1. As clamp, but the derivative at a bound is 0.
/// @formula y = min(max(x, low), high)
/// @shapes floating, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.nn.functional.hardtanh
/// @jax jax.nn.hard_tanh
/// @given x = [-2, 0.5, 3]
/// @gives tl::hardtanh(x) = [-1, 0.5, 1]
/// @gives tl::hardtanh(x, 0_c, 2_c) = [0, 0.5, 2]
template <class X, class A, class B>
  requires value_operands<X, A, B>
constexpr value hardtanh(X x, A low, B high) {
  return make<hardtanh_operation>(x, low, high);
}
template <class X, class A, class B>
  requires expression_operands<X, A, B>
TAPELESS_FACTORY auto hardtanh(X x, A low, B high) {
  return make<hardtanh_operation>(x, low, high);
}
constexpr value hardtanh(is_value auto x) { return make<hardtanh_operation>(x, -1.0, 1.0); }
TAPELESS_FACTORY auto hardtanh(expression_operand auto x) {
  return make<hardtanh_operation>(x, constant<-1.0>, constant<1.0>);
}

// Its numbers as template arguments, which are refused.
template <plain_number auto Low, plain_number auto... High, class... X>
constexpr auto hardtanh(const X&... x) {
  return detail::refuse_call<sentence{"hardtanh"}, detail::numbers_are_arguments, sentence{"(x, -2_c, 2_c)"}>(
      x...);
}

}  // namespace tapeless
