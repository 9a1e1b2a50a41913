// SPDX-License-Identifier: BSL-1.0
// Inserts the copies that the kernels need: a view cannot always be read where it is.
#pragma once

#include <tapeless/graph/structural/copy.hpp>
#include <tapeless/plan/access.hpp>

namespace tapeless {

namespace detail {

constexpr bool is_leaf(family kind) { return kind <= family::iota; }

// A matrix product reads rows or columns whose elements are contiguous.
constexpr bool fits_product(graph& g, int id) {
  access a;
  if (!resolve(g, id, a)) return false;
  const node n = g.nodes[id];
  const family kind = g.nodes[a.base].op->kind;
  if (kind == family::constant || kind == family::size || kind == family::iota) return false;
  const std::int64_t row = a.strides[n.rank - 2], column = a.strides[n.rank - 1];
  const bool one_row = n.shape[n.rank - 2] == 1, one_column = n.shape[n.rank - 1] == 1;
  return (column == 1 || one_column) ? (row != 0 || one_row) : (row == 1 || one_row) && column != 0;
}

// A walk reads its operands from memory.
constexpr bool fits_walk(graph& g, int id) {
  access a;
  if (!resolve(g, id, a)) return false;
  const family kind = g.nodes[a.base].op->kind;
  return kind != family::constant && kind != family::size && kind != family::iota &&
         kind != family::hyperparameter;
}

// A convolution, and a pooling, reads contiguous elements.
constexpr bool fits_windows(graph& g, int id) {
  access a;
  return fits_walk(g, id) && resolve(g, id, a) && is_contiguous(g, a, g.nodes[id]);
}

// What leaves the program, or overwrites a parameter, must own its elements.
constexpr int owned(graph& g, int id) {
  const family kind = g.nodes[id].op->kind;
  const bool has_none = is_leaf(kind) || kind == family::view || kind == family::stacked;
  return has_none ? insert_copy(g, id, 0) : id;
}

// A node of the region that owns its elements, which are to be in memory of another node's.
constexpr int homeless(graph& g, int id, int region) {
  const node& n = g.nodes[id];
  const family kind = n.op->kind;
  const bool has_none =
      is_leaf(kind) || kind == family::view || kind == family::carry || kind == family::stacked;
  if (has_none || n.region != region) id = insert_copy(g, id, region);
  while (g.nodes[id].home >= 0) id = insert_copy(g, id, region);
  return id;
}

// All carries change at once, when the iteration is over: each gets a copy of its next value, which is made
// last.
constexpr void place_carries(graph& g) {
  list<int> next;
  for (const loop_carry& c : g.carries)
    next.push(c.carry < 0 ? -1 : homeless(g, c.next, g.nodes[c.carry].region));
  for (int k = 0; k < next.size(); ++k) {
    if (next[k] < 0) continue;
    const int carry = g.carries[k].carry, region = g.nodes[carry].region;
    int last = insert_copy(g, next[k], region);
    while (g.nodes[last].home >= 0) last = insert_copy(g, last, region);
    g.nodes[last].home = carry;
  }
}

}  // namespace detail

/// Copies g into `result`, which is empty, with the copies inserted. Post-condition: what a loop stacks, and
/// the last values of its iterations, are at home in the memory of the nodes that hold them.
constexpr void materialize(const graph& g, graph& result) {
  for (const derived_extent& e : g.extents.entries()) result.extents.intern(e);
  for (const initializer& i : g.initializers) result.initializers.push(i);
  for (const loop_region& r : g.regions) result.regions.push(r);
  list<int> number;
  for (int i = 0; i < g.nodes.size(); ++i) {
    node n = g.nodes[i];
    for (int k = 0; k < n.operand_count; ++k) {
      n.operands[k] = number[n.operands[k]];
      if (n.op->kind == family::product && !detail::fits_product(result, n.operands[k]))
        n.operands[k] = insert_copy(result, n.operands[k], n.region);
      if ((n.op->kind == family::convolution || n.op->kind == family::pooling) &&
          !detail::fits_windows(result, n.operands[k]))
        n.operands[k] = insert_copy(result, n.operands[k], n.region);
      if ((n.op->kind == family::gather || n.op->kind == family::scatter ||
           n.op->kind == family::prefix_scan) &&
          !detail::fits_walk(result, n.operands[k]))
        n.operands[k] = insert_copy(result, n.operands[k], n.region);
      if (n.op->kind == family::stacked)
        n.operands[k] = detail::homeless(result, n.operands[k], g.nodes[g.nodes[i].operands[k]].region);
    }
    int id = result.insert(n);
    access a;
    if (n.op->kind == family::view && !resolve(result, id, a)) {
      n.operands[0] = insert_copy(result, n.operands[0], n.region);
      id = result.insert(n);
    }
    if (n.op->kind == family::stacked) result.nodes[n.operands[0]].home = id;
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
      if (other.node == source) source = insert_copy(result, source, 0);
    result.effects.push({target, source, e.gradient < 0 ? -1 : number[e.gradient]});
  }
  for (const loop_carry& c : g.carries)
    result.carries.push({c.carry < 0 ? -1 : number[c.carry], c.carry < 0 ? -1 : number[c.next]});
  detail::place_carries(result);
}

}  // namespace tapeless
