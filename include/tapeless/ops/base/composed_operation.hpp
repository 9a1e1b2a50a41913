// SPDX-License-Identifier: BSL-1.0
// Element-by-element operations that are composed of others, with a derivative of their own where that of the
// composition would be inexact or NaN.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/base/view_node.hpp>

namespace tapeless {

/// What nodes refer to: an alias of the composed value, which is operand 0; the operation's own follow.
template <class Operation>
inline constexpr operation composed_operation_of{Operation::name, family::alias, jacobian::diagonal,
                                                 &Operation::cotangent_of};

/// Base of operations that have
///   name
///   forward(x...)               what they compute, of values of one type
/// and may have
///   takes                       the kind of elements, where it is not floating
///   in_float                    whether elements of 16 bits are computed in float, and rounded once
///   cotangent(g, x, y)          the derivative; of several operands cotangent(k, g, x..., y), for number k
template <class Operation, int Arity>
struct composed_operation {
  static constexpr int arity = Arity;
  static constexpr element_kind takes = element_kind::floating;
  static constexpr bool in_float = true;

  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    if (k == 0) return {};
    if constexpr (Arity == 1) return Operation::cotangent(g, x[1], y);
    if constexpr (Arity == 2) return Operation::cotangent(k - 1, g, x[1], x[2], y);
    if constexpr (Arity == 3) return Operation::cotangent(k - 1, g, x[1], x[2], x[3], y);
  }

  template <class... Values>
  static constexpr value build(Values... operands) {
    value x[] = {operands...};
    element type{};
    if (!detail::require_common_type(Operation::name, x, 0, Arity, Operation::takes, type)) return x[0];
    shape_list shape = shape_of(x[0]);
    for (int i = 1; i < Arity; ++i)
      if (!broadcast(shape, x[i].get())) return detail::shapes_do_not_fit(Operation::name, x, Arity);
    const bool widens = Operation::in_float && is_half(type);
    for (value& operand : x) operand = cast(operand, widens ? element::f32 : type);
    const value y = composed(x);
    return widens && is_floating(y.type()) ? cast(y, type) : y;
  }

 private:
  static constexpr value forward_of(const value* x) {
    if constexpr (Arity == 1) return Operation::forward(x[0]);
    if constexpr (Arity == 2) return Operation::forward(x[0], x[1]);
    if constexpr (Arity == 3) return Operation::forward(x[0], x[1], x[2]);
    if constexpr (Arity == 4) return Operation::forward(x[0], x[1], x[2], x[3]);
  }
  static constexpr value composed(const value* x) {
    const value y = forward_of(x);
    constexpr bool differentiates = requires(value v) { Operation::cotangent(v, v, v); } ||
                                    requires(value v) { Operation::cotangent(0, v, v, v, v); } ||
                                    requires(value v) { Operation::cotangent(0, v, v, v, v, v); };
    if constexpr (differentiates) {
      node n = detail::unary_node(composed_operation_of<Operation>, y, shape_of(y));
      for (int k = 0; k < Arity; ++k) n.operands[n.operand_count++] = x[k].id;
      return y.insert(n);
    } else {
      return y;
    }
  }
};

namespace detail {

/// highest t^n + ... + last, by Horner's rule. Its operators are found where it is called.
template <is_value Value, class... C>
constexpr Value composed_polynomial(Value t, double highest, C... lower) {
  Value sum = t * highest;
  const double all[] = {lower...};
  constexpr int count = sizeof...(C);
  for (int i = 0; i < count; ++i) {
    sum = sum + all[i];
    if (i + 1 < count) sum = sum * t;
  }
  return sum;
}

}  // namespace detail

}  // namespace tapeless
