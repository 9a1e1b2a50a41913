// SPDX-License-Identifier: BSL-1.0
// logical_not(x): the negation of a condition.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/as_condition.hpp>

namespace tapeless {

struct logical_not_operation : pointwise_operation<logical_not_operation, 1> {
  static constexpr std::string_view name = "logical_not";
  static constexpr element_kind takes = element_kind::booleans;
  static constexpr auto apply(auto x) { return !x; }
  static constexpr value cotangent(auto, auto, auto) { return value{}; }
  static constexpr value build(value x) { return pointwise_operation::build(detail::as_condition(x)); }
};

/// not x, element by element, where a number is true if it is not 0.
/// @formula y = not x; without a derivative
/// @shapes any type [..] -> booleans [..]
/// @torch torch.logical_not
/// @jax jnp.logical_not
/// @given x = [true, false]
/// @gives !x = [false, true]
constexpr value logical_not(is_value auto x) { return make<logical_not_operation>(x); }
TAPELESS_FACTORY auto logical_not(expression_operand auto x) { return make<logical_not_operation>(x); }
constexpr value operator!(is_value auto x) { return make<logical_not_operation>(x); }
TAPELESS_FACTORY auto operator!(expression_operand auto x) { return make<logical_not_operation>(x); }

}  // namespace tapeless
