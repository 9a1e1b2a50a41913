// SPDX-License-Identifier: BSL-1.0
// Keeps what the outputs and effects need, resolves aliases, and expands what a backend has no kernel for:
// the last word before planning.
#pragma once

#include <tapeless/graph/core/value.hpp>

namespace tapeless {

namespace detail {

constexpr int resolve_alias(const graph& g, int id) {
  while (g.nodes[id].op->kind == family::alias) id = g.nodes[id].operands[0];
  return id;
}

/// Node n, whose operands are g's, in terms of other operations. Post-condition: the number of the result.
constexpr int insert_expanded(graph& g, const node& n) {
  value operands[max_operands];
  for (int k = 0; k < n.operand_count; ++k) operands[k] = {&g, n.operands[k]};
  g.region = n.region;
  g.rematerialization = n.rematerialization;
  const int result = n.op->expansion(operands, n).id;
  g.region = g.rematerialization = 0;
  return result;
}

}  // namespace detail

/// Copies into `pruned`, which is empty, the nodes of g that its outputs and effects need. Aliases are
/// replaced by what they stand for; convolutions and poolings, unless they are to stay whole, by what they
/// are made of.
constexpr void prune(const graph& g, graph& pruned, bool whole_windows = true) {
  list<char> needed;
  list<int> waiting;
  needed.assign(g.nodes.size(), 0);
  const auto need = [&](int id) {
    id = detail::resolve_alias(g, id);
    if (needed[id] == 0) waiting.push(id);
    needed[id] = 1;
  };
  for (const graph_output& o : g.outputs) need(o.node);
  for (const graph_effect& e : g.effects) {
    need(e.node);
    need(e.target);
  }
  for (int w = 0; w < waiting.size(); ++w) {
    const node& n = g.nodes[waiting[w]];
    for (int k = 0; k < n.operand_count; ++k) need(n.operands[k]);
    if (n.op->kind == family::carry) need(g.next(waiting[w]));
  }

  for (const derived_extent& e : g.extents.entries()) pruned.extents.intern(e);
  for (const initializer& i : g.initializers) pruned.initializers.push(i);
  for (const loop_region& r : g.regions) pruned.regions.push(r);
  list<int> number;  // in `pruned`
  number.assign(g.nodes.size(), -1);
  const auto renumbered = [&](int id) { return number[detail::resolve_alias(g, id)]; };
  for (int i = 0; i < g.nodes.size(); ++i) {
    if (needed[i] == 0) continue;
    node n = g.nodes[i];
    for (int k = 0; k < n.operand_count; ++k) n.operands[k] = renumbered(n.operands[k]);
    const bool stays = n.op->expansion == nullptr || whole_windows;
    number[i] = stays ? pruned.insert(n) : detail::insert_expanded(pruned, n);
  }
  for (const graph_output& o : g.outputs) pruned.outputs.push({renumbered(o.node), o.label});
  for (const index_bound& b : g.index_bounds)
    if (number[b.node] >= 0) pruned.index_bounds.push({number[b.node], b.bound, b.ignored});
  for (const graph_effect& e : g.effects)
    pruned.effects.push(
        {renumbered(e.target), renumbered(e.node), e.gradient < 0 ? -1 : renumbered(e.gradient)});
  for (const loop_carry& c : g.carries)  // all of them: a carry's node holds its place in the list
    pruned.carries.push({number[c.carry], number[c.carry] < 0 ? -1 : renumbered(c.next)});
}

}  // namespace tapeless
