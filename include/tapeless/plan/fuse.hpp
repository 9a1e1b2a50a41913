// SPDX-License-Identifier: BSL-1.0
// Which element-by-element operations become one fused kernel, that is one pass over memory.
#pragma once

#include <tapeless/graph/structural/copy.hpp>

namespace tapeless {

inline constexpr int max_group_size = 32;
inline constexpr int max_prologue_size = 128;  // a kernel is fold expressions, which clang ends at 256

namespace detail {

constexpr bool same_shape(const node& a, const node& b) {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; ++i)
    if (a.shape[i] != b.shape[i]) return false;
  return true;
}

constexpr bool is_fused(const node& n) {
  return n.op->kind == family::pointwise || n.op->kind == family::reduction;
}

/// By node, whether it overwrites a parameter or a state.
constexpr list<char> overwriting(const graph& g) {
  list<char> result;
  result.assign(g.nodes.size(), 0);
  for (const graph_effect& e : g.effects) result[e.node] = 1;
  return result;
}

}  // namespace detail

/// The scalars that depend on nothing but numbers known before the training step, and overwrite nothing:
/// they make the groups that run first. Returns the roots of these, in their order.
/// Pre- and post-condition: group[i] is -1 for all others.
constexpr list<int> find_prologue(const graph& g, list<int>& group) {
  list<int> members, roots;
  const list<char> overwrites = detail::overwriting(g);
  for (int i = 0; i < g.nodes.size(); ++i) {
    const node& n = g.nodes[i];
    if (n.op->kind != family::pointwise || n.rank != 0 || n.home >= 0 || overwrites[i] != 0) continue;
    bool known = true;
    for (int k = 0; k < n.operand_count; ++k) {
      const int operand = n.operands[k];
      known =
          known && (group[operand] >= 0 || source_of(g.nodes[operand].op->kind) == element_source::number);
    }
    if (!known) continue;
    group[i] = i;
    members.push(i);
  }
  for (int k = members.size() - 1; k >= 0; --k) {
    const bool is_root = k == members.size() - 1 || (k + 1) % max_prologue_size == 0;
    group[members[k]] = is_root ? members[k] : group[members[k + 1]];
  }
  for (int id : members)
    if (group[id] == id) roots.push(id);
  return roots;
}

/// Whether a group, given its root, is one of the prologue's.
constexpr bool is_of_prologue(const list<int>& prologue, int root) {
  for (int other : prologue)
    if (other == root) return true;
  return false;
}

/// The node over whose shape a group with this root iterates.
constexpr int iteration_node(const graph& g, int root) {
  return g.nodes[root].op->kind == family::reduction ? g.nodes[root].operands[0] : root;
}

namespace detail {

/// Who reads a node first: the place of the command, and whether the node may be computed there. A place is
/// the number of a node, or of a group's root.
struct first_reader {
  int place = -1;
  bool joins = false;
  bool alone = true;  // nobody else reads it

  constexpr void add(int where, bool may_join) {
    if (place < 0 || where < place) {
      alone = place < 0;
      place = where;
      joins = may_join;
    } else {
      joins = joins && (where != place || may_join);
      alone = alone && where == place;
    }
  }
};

/// Whether the node is a number alone, or that number seen in some shape.
constexpr bool is_number(const graph& g, int id) {
  while (g.nodes[id].op->kind == family::view) id = g.nodes[id].operands[0];
  return g.nodes[id].op->kind == family::constant;
}

/// A parameter or state that starts again at a number is reset by the group that reads it, if that is the
/// only reader and goes element by element. `reader` and `size` are those of the sweep.
constexpr void fuse_resets(const graph& g, int largest, const list<first_reader>& reader, list<int>& size,
                           list<int>& group) {
  for (const graph_effect& e : g.effects) {
    const int place = reader[e.target].place;
    if (!reader[e.target].joins || !reader[e.target].alone || group[e.node] != e.node ||
        g.nodes[e.node].op != &copy_operation)
      continue;
    if (g.nodes[place].op->kind != family::pointwise || size[place] >= largest) continue;
    if (!is_number(g, g.nodes[e.node].operands[0])) continue;
    group[e.node] = place;
    ++size[place];
  }
}

}  // namespace detail

/// Post-condition: group[i] is the root of the group that computes node i, or -1 if none does. Returns the
/// prologue's roots, as find_prologue. One sweep from the last node to the first. In a group of at most
/// `largest` members
///   the root is a reduction or an element-by-element operation, and members have the group's shape
///   nobody outside reads a member before the root's place, so no group waits for itself
///   nobody outside reads a member at all if the root reduces or overwrites something
///   a copy's operand is in memory of its own (the prologue waits for nothing), unless it is a number
constexpr list<int> fuse(const graph& g, int largest, list<int>& group) {
  list<detail::first_reader> reader;
  list<int> size;
  const list<char> overwrites = detail::overwriting(g);
  reader.assign(g.nodes.size(), {});
  size.assign(g.nodes.size(), 0);
  group.assign(g.nodes.size(), -1);
  list<int> prologue = find_prologue(g, group);
  for (int i = g.nodes.size() - 1; i >= 0; --i) {
    const node& n = g.nodes[i];
    if (group[i] < 0 && detail::is_fused(n)) {
      const detail::first_reader& first = reader[i];
      bool joins = first.joins && n.op->kind == family::pointwise && size[first.place] < largest;
      if (joins && !first.alone)
        joins = g.nodes[first.place].op->kind == family::pointwise && overwrites[first.place] == 0;
      group[i] = joins ? first.place : i;
      ++size[group[i]];
    }
    for (int k = 0; k < n.operand_count; ++k) {
      const int operand = n.operands[k];
      if (g.nodes[operand].region != n.region) {  // a loop reads what is outside when it begins
        reader[operand].add(0, false);
        continue;
      }
      const bool together = group[i] >= 0 && n.op != &copy_operation &&
                            detail::same_shape(g.nodes[operand], g.nodes[iteration_node(g, group[i])]);
      reader[operand].add(group[i] >= 0 ? group[i] : i, together);
    }
  }
  detail::fuse_resets(g, largest, reader, size, group);
  return prologue;
}

}  // namespace tapeless
