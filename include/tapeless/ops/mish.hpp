// SPDX-License-Identifier: BSL-1.0
// mish(x): a smooth, self-gated activation (Misra, 2019).
#pragma once

#include <tapeless/ops/primitives.hpp>

namespace tapeless {

/// The node is an alias of y = x t with t = tanh(softplus(x)), operand 0, with the derivative
/// t + x (1 - t^2) sigmoid(x) by x, operand 1. Its second term is 0 far out, where x must not grow on.
struct mish_rule {
  static constexpr std::string_view name = "mish";
  static constexpr int arity = 1;

  static constexpr value cotangent_of(int k, value g, const value* x, value) {
    if (k != 1) return {};
    const value t = x[2], bounded = max(min(x[1], 1000.0), -1000.0);
    return g * (t + bounded * ((1.0 - t * t) * sigmoid(x[1])));
  }
  static constexpr operation op{name, family::alias, jacobian::diagonal, &cotangent_of};

  static constexpr value build(value x) {
    const value t = tanh(softplus(x)), y = x * t;
    node n = detail::unary_node(op, y, shape_of(y));
    for (const value& operand : {x, t}) n.operands[n.operand_count++] = operand.id;
    return y.insert(n);
  }
};

/// x tanh(softplus(x)), element by element.
constexpr value mish(is_value auto x) { return make<mish_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto mish(expression_operand auto x) {
  return make<mish_rule>(x);
}

}  // namespace tapeless
