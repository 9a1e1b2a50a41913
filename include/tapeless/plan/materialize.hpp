// SPDX-License-Identifier: BSL-1.0
// Inserts the copies that the kernels need: a view cannot always be read where it is.
#pragma once

#include <tapeless/graph/copy.hpp>
#include <tapeless/plan/access.hpp>

namespace tapeless {

namespace detail {

constexpr bool is_leaf(family kind) { return kind <= family::iota; }

// A matrix product reads rows or columns whose elements are side by side.
constexpr bool fits_product(graph& g, int id) {
  access a;
  if (!resolve(g, id, a)) return false;
  const node n = g.nodes[id];
  const family kind = g.nodes[a.owner].op->kind;
  if (kind == family::constant || kind == family::size || kind == family::iota) return false;
  const std::int64_t row = a.strides[n.rank - 2], column = a.strides[n.rank - 1];
  const bool one_row = n.shape[n.rank - 2] == 1, one_column = n.shape[n.rank - 1] == 1;
  return (column == 1 || one_column) ? (row != 0 || one_row) : (row == 1 || one_row) && column != 0;
}

// A walk reads its operands from memory.
constexpr bool fits_walk(graph& g, int id) {
  access a;
  if (!resolve(g, id, a)) return false;
  const family kind = g.nodes[a.owner].op->kind;
  return kind != family::constant && kind != family::size && kind != family::iota &&
         kind != family::hyperparameter;
}

// What leaves the program, or overwrites a parameter, must own its elements.
constexpr int owned(graph& g, int id) {
  const family kind = g.nodes[id].op->kind;
  return is_leaf(kind) || kind == family::view ? insert_copy(g, id) : id;
}

}  // namespace detail

/// Copies g into `result`, which is empty, with the copies inserted.
constexpr void materialize(const graph& g, graph& result) {
  for (const derived_extent& e : g.extents.entries()) result.extents.intern(e);
  for (const initializer& i : g.initializers) result.initializers.push(i);
  list<int> number;
  for (int i = 0; i < g.nodes.size(); ++i) {
    node n = g.nodes[i];
    for (int k = 0; k < n.operand_count; ++k) {
      n.operands[k] = number[n.operands[k]];
      if (n.op->kind == family::product && !detail::fits_product(result, n.operands[k]))
        n.operands[k] = insert_copy(result, n.operands[k]);
      if (n.op->kind == family::walk && !detail::fits_walk(result, n.operands[k]))
        n.operands[k] = insert_copy(result, n.operands[k]);
    }
    int id = result.insert(n);
    access a;
    if (n.op->kind == family::view && !resolve(result, id, a)) {
      n.operands[0] = insert_copy(result, n.operands[0]);
      id = result.insert(n);
    }
    number.push(id);
  }
  for (const graph_output& o : g.outputs)
    result.outputs.push({detail::owned(result, number[o.node]), o.label});
  for (const index_bound& b : g.index_bounds) result.index_bounds.push({number[b.node], b.bound, b.ignored});
  for (const graph_effect& e : g.effects) {
    const int target = number[e.target];
    int source = detail::owned(result, number[e.node]);
    // One value cannot live in two places: the second target gets a copy.
    for (const graph_effect& other : result.effects)
      if (other.node == source) source = insert_copy(result, source);
    result.effects.push({target, source, e.gradient < 0 ? -1 : number[e.gradient]});
  }
}

}  // namespace tapeless
