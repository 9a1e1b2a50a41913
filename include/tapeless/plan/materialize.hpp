// SPDX-License-Identifier: BSL-1.0
// Inserts the copies that the kernels need: a view cannot always be read where it is.
#pragma once

#include <tapeless/graph/structural/copy.hpp>
#include <tapeless/graph/structural/renumber.hpp>
#include <tapeless/plan/access.hpp>
#include <tapeless/plan/families/kernel_families.hpp>

namespace tapeless {

namespace detail {

constexpr operand_layout layout_of_operands(family kind) {
  if (kind == family::product) return operand_layout::lines;
  operand_layout layout = operand_layout::any;
  for_each_family(kernel_families{}, [&]<class F>() { layout = F::kind == kind ? F::layout : layout; });
  return layout;
}

constexpr bool is_in_memory(const graph& g, const access& a) {
  const element_source source = source_of(g.nodes[a.base].op->kind);
  return source != element_source::number && source != element_source::index;
}

// Whether the elements of rows, or those of columns, are contiguous.
constexpr bool has_lines(const access& a, const node& n) {
  const std::int64_t row = a.strides[n.rank - 2], column = a.strides[n.rank - 1];
  const bool one_row = n.shape[n.rank - 2] == 1, one_column = n.shape[n.rank - 1] == 1;
  return (column == 1 || one_column) ? (row != 0 || one_row) : (row == 1 || one_row) && column != 0;
}

constexpr bool fits(graph& g, int id, operand_layout wanted) {
  if (wanted == operand_layout::any) return true;
  access a;
  if (!resolve(g, id, a) || !is_in_memory(g, a)) return false;
  switch (wanted) {
    case operand_layout::any:
    case operand_layout::memory:
      return true;
    case operand_layout::lines:
      return has_lines(a, g.nodes[id]);
    case operand_layout::contiguous:
      return is_contiguous(g, a, g.nodes[id]);
  }
  return false;
}

// What leaves the program, or overwrites a parameter, must own its elements.
constexpr int owned(graph& g, int id) {
  const family kind = g.nodes[id].op->kind;
  const bool owns = source_of(kind) == element_source::kernel || kind == family::carry;
  return owns ? id : insert_copy(g, id, 0);
}

// What is seen in another shape leaves the program as it is.
constexpr int shown(graph& g, int id) {
  const int own = without_reshapes(g, id);
  const node& n = g.nodes[own];
  const bool is_whole = source_of(n.op->kind) == element_source::kernel && n.region == 0 && n.home < 0;
  return is_whole ? id : owned(g, id);
}

// A node of the region that owns its elements, which are to be in memory of another node's.
constexpr int homeless(graph& g, int id, int region) {
  const node& n = g.nodes[id];
  const bool owns = source_of(n.op->kind) == element_source::kernel;
  if (!owns || n.region != region) id = insert_copy(g, id, region);
  while (g.nodes[id].home >= 0) id = insert_copy(g, id, region);
  return id;
}

// How often the nodes of g are read.
constexpr list<int> readers_of(const graph& g) {
  list<int> readers;
  readers.assign(g.nodes.size(), 0);
  for (const node& n : g.nodes)
    for (int k = 0; k < n.operand_count; ++k) ++readers[n.operands[k]];
  for (const loop_carry& c : g.carries)
    if (c.carry >= 0) ++readers[c.next];
  return readers;
}

// Rows of a part that is computed in its place are not joined, so they must be worth a loop.
constexpr bool has_long_rows(const node& part, int axis) {
  std::int64_t row = 1;
  for (int i = axis; i < part.rank; ++i) {
    if (!extent_table::is_literal(part.shape[i])) return false;
    row *= part.shape[i];
  }
  return row >= 16;
}

// In a loop, where a copy's launch is dear, what only a concat reads is computed where the concat has it.
// `concat` is a node of g, `id` its number in `result`, `number` that of all nodes.
constexpr void place_parts(const graph& g, const node& concat, const list<int>& number, graph& result, int id,
                           list<int>& readers) {
  if (concat.op->kind != family::concat || concat.region == 0) return;
  if (readers.empty()) readers = readers_of(g);
  for (int k = 0; k < concat.operand_count; ++k) {
    const node& part = g.nodes[concat.operands[k]];
    const bool alone = readers[concat.operands[k]] == 1 && part.region == concat.region &&
                       (part.op->kind == family::pointwise || part.op->kind == family::concat);
    if (alone && has_long_rows(part, axis_of(concat))) result.nodes[number[concat.operands[k]]].home = id;
  }
}

// All carries change at once, when the iteration is over: each gets a copy of its next value, which is made
// last.
constexpr void place_carries(graph& g) {
  list<int> next;
  for (const loop_carry& c : g.carries)
    next.push(c.carry < 0 ? -1 : homeless(g, c.next, g.nodes[c.carry].region));
  for (int k = 0; k < next.size(); ++k) {
    if (next[k] < 0) continue;
    const int carry = g.carries[k].carry;
    const int last = g.insert(hand_on_copy(g, next[k], carry));
    g.nodes[last].home = carry;
  }
}

}  // namespace detail

/// Copies g into `result`, which is empty, with the copies inserted. Post-condition: what a loop stacks, and
/// the last values of its iterations, are at home in the memory of the nodes that hold them. So are the parts
/// of concats in loops.
constexpr void materialize(const graph& g, graph& result) {
  copy_unnumbered(g, result);
  list<int> number, readers;
  for (int i = 0; i < g.nodes.size(); ++i) {
    node n = g.nodes[i];
    const operand_layout layout = detail::layout_of_operands(n.op->kind);
    for (int k = 0; k < n.operand_count; ++k) {
      n.operands[k] = number[n.operands[k]];
      if (!detail::fits(result, n.operands[k], layout))
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
    detail::place_parts(g, g.nodes[i], number, result, id, readers);
    number.push(id);
  }
  copy_renumbered(g, result, [&](int id) { return number[id]; });
  for (graph_output& o : result.outputs) o.node = detail::shown(result, o.node);
  for (int i = 0; i < result.effects.size(); ++i) {
    int source = detail::owned(result, result.effects[i].node);
    // One value cannot live in two places: the second target gets a copy.
    for (int k = 0; k < i; ++k)
      if (result.effects[k].node == source) source = insert_copy(result, source, 0);
    result.effects[i].node = source;
  }
  detail::place_carries(result);
}

}  // namespace tapeless
