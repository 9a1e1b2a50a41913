// SPDX-License-Identifier: BSL-1.0
// a || b, logical_or(a, b): whether one of the conditions holds.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/as_condition.hpp>

namespace tapeless {

struct logical_or_operation : pointwise_operation<logical_or_operation, 2> {
  static constexpr std::string_view name = "||";
  static constexpr element_kind takes = element_kind::booleans;
  static constexpr auto apply(auto a, auto b) { return a || b; }
  static constexpr value cotangent(int, auto, auto, auto, auto) { return {}; }
  static constexpr value build(value a, value b) {
    return pointwise_operation::build(detail::as_condition(a), detail::as_condition(b));
  }
};

/// a or b, element by element, where a number is true if it is not 0; shapes broadcast.
/// @formula y = a or b; without a derivative
/// @shapes any two types, whose shapes broadcast -> booleans of the common shape
/// @errors shapes_do_not_fit
/// @torch torch.logical_or
/// @jax jnp.logical_or
/// @given a = [true, true, false]; b = [true, false, false]
/// @gives a || b = [true, true, false]
template <class A, class B>
  requires value_operands<A, B>
constexpr value operator||(A a, B b) {
  return make<logical_or_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto operator||(A a, B b) {
  return make<logical_or_operation>(a, b);
}

/// The operands may be of different types.
struct logical_or_statement {
  static constexpr std::string_view name = "logical_or";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) { return a || b; }
};

/// Whether a or b is true, where a number is true if it is not 0. Element by element; shapes broadcast. a ||
/// b is the same.
/// @formula y = a or b; without a derivative
/// @shapes any two types, whose shapes broadcast -> booleans of the common shape
/// @errors shapes_do_not_fit
/// @torch torch.logical_or
/// @jax jnp.logical_or
/// @given a = [0, 1, 0]; b = [0, 0, -1]
/// @gives tl::logical_or(a, b) = [false, true, true]
template <class A, class B>
  requires operands<A, B>
TAPELESS_FACTORY auto logical_or(A a, B b) {
  return make<logical_or_statement>(a, b);
}

}  // namespace tapeless
