// SPDX-License-Identifier: BSL-1.0
// Forward mode: extends a graph by the tangent of a node, from the rules that reverse mode has.
#pragma once

#include <tapeless/graph/reverse.hpp>

namespace tapeless {

namespace detail {

inline constexpr operation tangent_operation{"tangent", family::input};

// The cotangent's formula is linear in g: its own cotangent, with g as the unknown, is the Jacobian's
// product with the tangent. The unknown drops out of the result.
template <is_value Value>
constexpr value transposed(Value y, int k, const value* operands, value tangent) {
  graph& g = *y.owner;
  node unknown = y.get();
  unknown.op = &tangent_operation;
  unknown.operand_count = 0;
  unknown.attributes[0] = y.id;
  const value u = y.insert(unknown);
  Value c = y.get().op->cotangent(k, u, operands, y);
  if (!c.exists()) return {};
  c = sum_to(c, shape_of(operands[k]));
  list<int> wrt, result;
  wrt.push(u.id);
  reverse(c, tangent, wrt, result);
  return result[0] < 0 ? value{} : value{&g, result[0]};
}

template <is_value Value>
constexpr value tangent_through(Value y, int k, const value* operands, value tangent) {
  const node n = y.get();
  switch (n.op->structure) {
    case jacobian::diagonal:
      return n.op->cotangent(k, tangent, operands, y);
    case jacobian::linear: {
      node moved = n;
      moved.operands[k] = tangent.id;
      return y.insert(moved);
    }
    case jacobian::general:
      return transposed(y, k, operands, tangent);
    case jacobian::none:
      break;
  }
  return no_derivative(y);
}

}  // namespace detail

/// The derivative of y along `tangent`, which is of x's shape: the Jacobian of y by x, times the tangent.
/// {} where y does not depend on x.
template <is_value Value>
constexpr value forward(Value y, value x, value tangent) {
  graph& g = *y.owner;
  list<int> wrt;
  wrt.push(x.id);
  list<char> depends;
  detail::mark_dependents(g, y.id, wrt, depends);
  list<int> tangents;
  tangents.assign(y.id + 1, -1);
  if (x.id <= y.id) tangents[x.id] = tangent.id;
  for (int i = x.id + 1; i <= y.id; ++i) {
    if (depends[i] == 0) continue;
    const Value v{&g, i};
    value operands[max_operands];
    for (int k = 0; k < v.get().operand_count; ++k) operands[k] = v.operand(k);
    Value sum;
    for (int k = 0; k < v.get().operand_count; ++k) {
      if (tangents[operands[k].id] < 0) continue;
      const value part = detail::tangent_through(v, k, operands, {&g, tangents[operands[k].id]});
      if (part.exists()) sum = sum.exists() ? sum + part : part;
    }
    if (sum.exists()) tangents[i] = expand(sum, shape_of(v)).id;
  }
  return tangents[y.id] < 0 ? value{} : value{&g, tangents[y.id]};
}

}  // namespace tapeless
