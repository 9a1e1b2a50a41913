// SPDX-License-Identifier: BSL-1.0
// Which element-by-element operations become one pass over memory.
#pragma once

#include <tapeless/graph/copy.hpp>

namespace tapeless {

inline constexpr int max_group_size = 32;

namespace detail {

inline constexpr int no_use = -1;
inline constexpr int several_uses = -2;

constexpr bool same_shape(const node& a, const node& b) {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; ++i)
    if (a.shape[i] != b.shape[i]) return false;
  return true;
}

constexpr bool is_fused(const node& n) {
  return n.op->kind == family::pointwise || n.op->kind == family::reduction;
}

}  // namespace detail

/// Marks the scalars that depend on nothing but numbers known before the step, and overwrite nothing: they
/// make one group, which runs first. Returns its root, the last of them; -1 where there is none.
constexpr int find_prologue(const graph& g, list<char>& in_prologue) {
  int root = -1;
  in_prologue.assign(g.nodes.size(), 0);
  list<char> overwrites;
  overwrites.assign(g.nodes.size(), 0);
  for (const graph_effect& e : g.effects) overwrites[e.node] = 1;
  for (int i = 0; i < g.nodes.size(); ++i) {
    const node& n = g.nodes[i];
    if (n.op->kind != family::pointwise || n.rank != 0 || n.home >= 0 || overwrites[i] != 0) continue;
    bool known = true;
    for (int k = 0; k < n.operand_count; ++k) {
      const family kind = g.nodes[n.operands[k]].op->kind;
      known = known && (in_prologue[n.operands[k]] != 0 || kind == family::hyperparameter ||
                        kind == family::constant || kind == family::size);
    }
    if (!known) continue;
    in_prologue[i] = 1;
    root = i;
  }
  return root;
}

namespace detail {

/// Whether the node is a number alone, or that number seen in some shape.
constexpr bool is_number(const graph& g, int id) {
  while (g.nodes[id].op->kind == family::view) id = g.nodes[id].operands[0];
  return g.nodes[id].op->kind == family::constant;
}

/// What starts again at a number is overwritten by the group that reads it, where one alone does, element by
/// element. `use` and `size` are those of the sweep.
constexpr void fuse_resets(const graph& g, int largest, const list<int>& use, list<int>& size,
                           list<int>& group) {
  for (const graph_effect& e : g.effects) {
    const int reader = use[e.target];
    if (reader < 0 || group[e.node] != e.node || g.nodes[e.node].op != &copy_operation) continue;
    if (g.nodes[reader].op->kind != family::pointwise || size[reader] >= largest) continue;
    if (!is_number(g, g.nodes[e.node].operands[0])) continue;
    group[e.node] = reader;
    ++size[reader];
  }
}

}  // namespace detail

/// The node over whose shape a group with this root iterates.
constexpr int iteration_node(const graph& g, int root) {
  return g.nodes[root].op->kind == family::reduction ? g.nodes[root].operands[0] : root;
}

/// Post-condition: group[i] is the root of the group that computes node i, or -1 where i is not computed by
/// a group. The root is a reduction or an element-by-element operation; a member's users are all in its
/// group and have the group's shape, so no group waits for itself; a copy's operand is in memory of its own
/// (the prologue waits for nothing), unless it is a number; a group has at most `largest` members. One sweep
/// from the last node to the first.
constexpr void fuse(const graph& g, int largest, list<int>& group) {
  list<int> use, size;
  use.assign(g.nodes.size(), detail::no_use);
  size.assign(g.nodes.size(), 0);
  group.assign(g.nodes.size(), -1);
  list<char> in_prologue;
  const int prologue = find_prologue(g, in_prologue);
  for (int i = g.nodes.size() - 1; i >= 0; --i) {
    const node& n = g.nodes[i];
    if (in_prologue[i] != 0) {
      group[i] = prologue;
    } else if (detail::is_fused(n)) {
      const bool joins = use[i] >= 0 && n.op->kind == family::pointwise && size[use[i]] < largest;
      group[i] = joins ? use[i] : i;
      ++size[group[i]];
    }
    for (int k = 0; k < n.operand_count; ++k) {
      const int operand = n.operands[k];
      const bool together = group[i] >= 0 && n.op != &copy_operation && g.nodes[operand].region == n.region &&
                            detail::same_shape(g.nodes[operand], g.nodes[iteration_node(g, group[i])]);
      const int into = together ? group[i] : detail::several_uses;
      use[operand] = use[operand] == detail::no_use || use[operand] == into ? into : detail::several_uses;
    }
  }
  detail::fuse_resets(g, largest, use, size, group);
}

}  // namespace tapeless
