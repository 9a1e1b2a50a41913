// SPDX-License-Identifier: BSL-1.0
// Reverse mode: extends a graph by the cotangents of some of its nodes. It builds with `+` and sum_to, which
// ops/ has and which are found when it is used: hence the templates.
#pragma once

#include <tapeless/graph/value.hpp>

namespace tapeless {

namespace detail {

/// Marks what depends on the nodes `wrt`, among those that derivatives flow through.
constexpr void mark_dependents(const graph& g, int last, const list<int>& wrt, list<char>& depends) {
  depends.assign(last + 1, 0);
  for (int id : wrt)
    if (id <= last) depends[id] = 1;
  for (int i = 0; i <= last; ++i) {
    const node& n = g.nodes[i];
    if (depends[i] != 0 || !is_floating(n.type)) continue;
    for (int k = 0; k < n.operand_count; ++k)
      if (depends[n.operands[k]] != 0) depends[i] = 1;
  }
}

constexpr value no_derivative(value y) {
  return y.fail(text() << "a derivative is asked for through " << y.get().op->name << ", which has none");
}

}  // namespace detail

/// The cotangents of the nodes `wrt` where that of y is `seed`: cotangents[i] is a node's number, or -1
/// where y does not depend on wrt[i] (or only through operations whose derivative is zero). What no
/// cotangent needs is not built. The sweep goes from y to the first node, once; a node that is used several
/// times gets the sum.
template <is_value Value>
constexpr void reverse(Value y, value seed, const list<int>& wrt, list<int>& cotangents) {
  graph& g = *y.owner;
  list<char> depends;
  detail::mark_dependents(g, y.id, wrt, depends);
  list<int> adjoint;
  adjoint.assign(y.id + 1, -1);
  adjoint[y.id] = seed.id;
  for (int i = y.id; i >= 0; --i) {
    if (adjoint[i] < 0 || depends[i] == 0) continue;
    const node n = g.nodes[i];
    value operands[max_operands];
    for (int k = 0; k < n.operand_count; ++k) operands[k] = {&g, n.operands[k]};
    for (int k = 0; k < n.operand_count; ++k) {
      const int target = n.operands[k];
      if (depends[target] == 0) continue;
      if (n.op->cotangent == nullptr) {
        detail::no_derivative({&g, i});
        continue;
      }
      Value c = n.op->cotangent(k, {&g, adjoint[i]}, operands, {&g, i});
      if (!c.exists()) continue;
      c = sum_to(c, shape_of(operands[k]));
      adjoint[target] = adjoint[target] < 0 ? c.id : (Value{&g, adjoint[target]} + c).id;
    }
  }
  cotangents.clear();
  for (int id : wrt) cotangents.push(id <= y.id ? adjoint[id] : -1);
}

}  // namespace tapeless
