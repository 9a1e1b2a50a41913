// SPDX-License-Identifier: BSL-1.0
// apply<Op>(x...): an operation with a derivative of one's own.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tapeless/expr/contract.hpp>
#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/type_text.hpp>
#include <tapeless/ops/base/view_node.hpp>

namespace tapeless {

/// Base of the custom operations.
struct custom_op {};

namespace detail {

template <class>
inline constexpr std::size_t values_in = 0;
template <>
inline constexpr std::size_t values_in<value> = 1;
template <class... Values>
inline constexpr std::size_t values_in<std::tuple<Values...>> =
    (is_value<Values> && ...) ? sizeof...(Values) : 0;

}  // namespace detail

/// The contract of a custom operation of so many operands. It derives from custom_op and has
///   forward(x...)            what it computes, from values
///   backward(g, x..., y)     the cotangents of its operands, from that of the result g, the operands and the
///                            result y: a value, or for several operands a std::tuple of them
/// Both are written with the library's operations, on values: plain numbers can be used.
/// Laws: backward is linear in g; each cotangent has its operand's shape.
template <class Op, int Operands>
struct custom_op_contract {
  using subject = Op;
  static constexpr std::string_view noun = "custom operation of these operands";

  template <std::size_t>
  static value operand();
  template <std::size_t... I>
  static constexpr bool computes(std::index_sequence<I...>) {
    return requires {
      { Op::forward(operand<I>()...) } -> std::convertible_to<value>;
    };
  }
  template <std::size_t... I>
  static constexpr bool differentiates(std::index_sequence<I...>) {
    if constexpr (requires(value v) { Op::backward(v, operand<I>()..., v); }) {
      using cotangents = std::remove_cvref_t<decltype(Op::backward(value(), operand<I>()..., value()))>;
      return detail::values_in<cotangents> == sizeof...(I);
    }
    return false;
  }

  static constexpr demand demands[3] = {
      {std::is_base_of_v<custom_op, Op>, "the base custom_op"},
      {computes(std::make_index_sequence<Operands>()), "forward(x...), static, which returns a value"},
      {differentiates(std::make_index_sequence<Operands>()),
       "backward(g, x..., y), static, which returns a value, or a std::tuple of as many as there are "
       "operands"},
  };
};
template <class Op, int Operands>
concept is_custom_op = is_kept<custom_op_contract<Op, Operands>>();

namespace detail {

inline constexpr std::string_view custom_name = "a custom operation";

/// Whether its derivative is a user's.
constexpr bool is_custom(const operation& op) { return op.name == custom_name; }

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

/// Whether one of two shapes broadcasts to the other.
constexpr bool broadcasts_either_way(const shape_list& a, const shape_list& b) {
  shape_list both;
  return broadcast(a, b, both) && (both == a || both == b);
}

/// A user's cotangent of an operand, which is summed over what broadcasting has made. One of another shape is
/// refused: of as many elements it would be read in the wrong order.
template <class Op>
constexpr value fitting_cotangent(value cotangent, value operand) {
  if (cotangent.builder == nullptr) return cotangent;
  if (cotangent.type() == operand.type() && broadcasts_either_way(shape_of(cotangent), shape_of(operand)))
    return cotangent;
  text t;
  t << "backward of `" << type_text<Op>() << "` gives a cotangent of " << name_of(cotangent.type())
    << " of the shape ";
  cotangent.builder->describe_shape(t, cotangent.get());
  t << " for an operand of " << name_of(operand.type()) << " of the shape ";
  operand.builder->describe_shape(t, operand.get());
  return operand.fail(t);
}

}  // namespace detail

/// The node of a custom operation: an alias of the forward value, which is operand 0; the others follow.
template <class Op, int Operands>
struct custom_operation {
  static_assert(Operands <= 3, "tapeless: a custom operation takes at most three operands");
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    if (k == 0) return {};
    return detail::fitting_cotangent<Op>(
        detail::custom_cotangent<Op>(k, g, x, y, std::make_index_sequence<Operands>{}), x[k]);
  }
  static constexpr operation op{detail::custom_name, family::alias, jacobian::general, &cotangent_of};
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
/// @formula y = Op::forward(x..), with the derivative Op::backward(g, x.., y)
/// @shapes what Op::forward makes of the operands
/// @errors custom_op
/// @torch torch.autograd.Function
/// @jax jax.custom_vjp
template <class Op, expression_operand... X>
TAPELESS_FACTORY auto apply(X... x) {
  constexpr int operands = sizeof...(X);
  if constexpr (require_contracts<custom_op_contract<Op, operands>>()) {
    return make<custom_statement<Op, operands>>(x...);
  } else {
    return erroneous{};
  }
}

}  // namespace tapeless
