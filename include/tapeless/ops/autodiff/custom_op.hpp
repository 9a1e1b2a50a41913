// SPDX-License-Identifier: BSL-1.0
// apply<Op>(x...): an operation with a derivative of one's own.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tuple>

namespace tapeless {

/// Base of a custom operation, which has
///   forward(x...)            what it computes, from values
///   backward(g, x..., y)     the cotangents of its operands, from that of the result g, the operands and the
///                            result y: a value, or for several operands a std::tuple of them
/// Both are written with the library's operations, on values: plain numbers can be used.
struct custom_op {};

namespace detail {

template <class Op, std::size_t... I>
constexpr value custom_cotangent(int k, value g, const value* x, value y, std::index_sequence<I...>) {
  const auto cotangents = Op::backward(g, x[1 + I]..., y);
  if constexpr (is_value<decltype(cotangents)>) {
    return cotangents;
  } else {
    const value all[] = {std::get<I>(cotangents)...};
    return all[k - 1];
  }
}

}  // namespace detail

/// The node of a custom operation: an alias of the forward value, which is operand 0; the others follow.
template <class Op, int Operands>
struct custom_operation {
  static_assert(Operands < max_operands, "tapeless: a custom operation takes at most three operands");
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    if (k == 0) return {};
    return detail::custom_cotangent<Op>(k, g, x, y, std::make_index_sequence<Operands>{});
  }
  static constexpr operation op{"a custom operation", family::alias, jacobian::general, &cotangent_of};
};

template <class Op, int Operands>
struct custom_statement {
  static constexpr int arity = Operands;
  template <class... X>
  static constexpr value build(X... x) {
    const value y = Op::forward(x...);
    node n = detail::unary_node(custom_operation<Op, Operands>::op, y, shape_of(y));
    for (const value& operand : {value(x)...}) n.operands[n.operand_count++] = operand.id;
    return y.insert(n);
  }
};

/// Op::forward of the operands, with Op::backward as its derivative; Op derives from custom_op.
template <class Op, expression_operand... X>
  requires std::derived_from<Op, custom_op>
TAPELESS_FACTORY auto apply(X... x) {
  return make<custom_statement<Op, static_cast<int>(sizeof...(X))>>(x...);
}

}  // namespace tapeless
