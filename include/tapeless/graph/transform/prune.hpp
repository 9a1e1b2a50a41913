// SPDX-License-Identifier: BSL-1.0
// Keeps what the outputs and effects need, resolves aliases, and expands what a backend has no kernel for:
// the last word before planning.
#pragma once

#include <tapeless/graph/core/value.hpp>
#include <tapeless/graph/structural/attention_support.hpp>
#include <tapeless/graph/structural/renumber.hpp>

namespace tapeless {

namespace detail {

// The attention that an alias's kernel computes a part of: of a loop that runs backwards, as the other loop
// has stacked it.
constexpr const node& attention_behind(const graph& g, const node& alias) {
  int id = alias.operands[1];
  while (g.nodes[id].op->kind == family::view || g.nodes[id].op->kind == family::stacked)
    id = g.nodes[id].operands[0];
  return g.nodes[id];
}

constexpr bool has_kernel(const graph& g, const node& alias, attention_support support) {
  return alias.op->expansion != nullptr && support != attention_support::none &&
         has_attention(support, g, attention_behind(g, alias));
}

// An alias that has an expansion stands for that, which is its first operand, or for a kernel's result.
constexpr int resolve_alias(const graph& g, int id, attention_support support = attention_support::none) {
  while (g.nodes[id].op->kind == family::alias) {
    const node& n = g.nodes[id];
    id = n.operands[has_kernel(g, n, support) ? 1 : 0];
  }
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
/// replaced by what they stand for; convolutions and poolings, and attention, unless they are to stay whole,
/// by what they are made of.
constexpr void prune(const graph& g, graph& pruned, bool whole_windows = true,
                     attention_support whole_attention = attention_support::none) {
  list<char> needed;
  list<int> waiting;
  needed.assign(g.nodes.size(), 0);
  const auto need = [&](int id) {
    id = detail::resolve_alias(g, id, whole_attention);
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

  copy_unnumbered(g, pruned);
  list<int> number;  // in `pruned`
  number.assign(g.nodes.size(), -1);
  const auto number_of = [&](int id) { return number[detail::resolve_alias(g, id, whole_attention)]; };
  for (int i = 0; i < g.nodes.size(); ++i) {
    if (needed[i] == 0) continue;
    node n = g.nodes[i];
    for (int k = 0; k < n.operand_count; ++k) n.operands[k] = number_of(n.operands[k]);
    const bool stays = n.op->expansion == nullptr || whole_windows;
    number[i] = stays ? pruned.insert(n) : detail::insert_expanded(pruned, n);
  }
  copy_renumbered(g, pruned, number_of);
}

}  // namespace tapeless
