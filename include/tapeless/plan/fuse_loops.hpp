// SPDX-License-Identifier: BSL-1.0
// Fusing within loops: the body of a small recurrent network takes no longer than launching its kernels. So
// groups that do not follow from one another share a kernel, too, and carries are computed in their places.
#pragma once

#include <tapeless/plan/fuse.hpp>

namespace tapeless {

namespace detail {

/// By node, those that read it: once for each operand that is the node.
class node_readers {
 public:
  constexpr explicit node_readers(const graph& g) {
    first_.assign(g.nodes.size() + 1, 0);
    for (const node& n : g.nodes)
      for (int k = 0; k < n.operand_count; ++k) ++first_[n.operands[k]];
    for (int i = 0; i < g.nodes.size(); ++i) first_[i + 1] += first_[i];
    readers_.assign(first_[g.nodes.size()], 0);
    for (int i = 0; i < g.nodes.size(); ++i)
      for (int k = 0; k < g.nodes[i].operand_count; ++k) readers_[--first_[g.nodes[i].operands[k]]] = i;
  }

  constexpr int begin_of(int id) const { return first_[id]; }
  constexpr int end_of(int id) const { return first_[id + 1]; }
  constexpr int operator[](int place) const { return readers_[place]; }

 private:
  list<int> first_, readers_;
};

/// Joins groups of loops. Node i is computed at the place of its group's root.
class loop_fusion {
 public:
  constexpr loop_fusion(const graph& g, int largest, const list<int>& prologue, list<int>& group)
      : g_(g), largest_(largest), prologue_(prologue), group_(group), readers_(g) {
    next_member_.assign(g.nodes.size(), -1);
    size_.assign(g.nodes.size(), 0);
    computes_.assign(g.nodes.size(), 0);
    read_by_.assign(g.nodes.size(), -1);
    for (int i = 0; i < g.nodes.size(); ++i) {
      const int root = group[i];
      if (root < 0) continue;
      ++size_[root];
      if (g.nodes[i].op != &copy_operation) computes_[root] = 1;
      if (i == root) continue;
      next_member_[i] = next_member_[root];
      next_member_[root] = i;
    }
  }

  /// Each group joins the last one that it can wait for; with one more, that one may share more with others.
  constexpr void run() {
    list<int> roots;
    for (int i = 0; i < g_.nodes.size(); ++i)
      if (can_join(i)) roots.push(i);
    for (int last = roots.size() - 1; last > 0; --last) {
      if (!is_root(roots[last])) continue;
      for (int first = last - 1; first >= 0; --first) {
        if (!is_root(roots[first]) || !belong_together(roots[first], roots[last])) continue;
        join(roots[first], roots[last]);
        first = last;
      }
    }
  }

 private:
  const graph& g_;
  int largest_;
  const list<int>& prologue_;
  list<int>& group_;
  node_readers readers_;
  list<int> next_member_;  // of each group, whose first member is its root; -1 behind the last one
  list<int> size_;
  list<char> computes_;  // or only copies
  list<int> read_by_;    // the group that was last seen to read a node

  constexpr bool is_root(int i) const { return group_[i] == i; }
  constexpr bool can_join(int i) const {
    const node& n = g_.nodes[i];
    return is_root(i) && n.region != 0 && n.op->kind == family::pointwise && !hands_on(n) &&
           !is_of_prologue(prologue_, i);
  }
  constexpr bool belong_together(int first, int last) {
    return g_.nodes[first].region == g_.nodes[last].region && size_[first] + size_[last] <= largest_ &&
           same_shape(g_.nodes[first], g_.nodes[last]) && can_wait(first, last) && share(first, last);
  }
  constexpr void join(int first, int last) {
    int end = first;
    for (int i = first; i >= 0; i = next_member_[i]) {
      group_[i] = last;
      end = i;
    }
    next_member_[end] = next_member_[last];
    next_member_[last] = first;
    size_[last] += size_[first];
    if (computes_[first] != 0) computes_[last] = 1;
  }

  // Whether nothing between the two reads what the first computes.
  constexpr bool can_wait(int first, int last) const {
    for (int i = first; i >= 0; i = next_member_[i])
      for (int k = readers_.begin_of(i); k < readers_.end_of(i); ++k)
        if (reads_before(readers_[k], first, last)) return false;
    return true;
  }
  // Whether node i of the loop, outside of group `first`, is computed before group `last` has been. A copy's
  // operand is in memory of its own.
  constexpr bool reads_before(int i, int first, int last) const {
    const node& n = g_.nodes[i];
    if (n.region != g_.nodes[first].region || group_[i] == first || hands_on(n)) return false;
    const int place = group_[i] >= 0 ? group_[i] : i;
    return place < last || (place == last && n.op == &copy_operation);
  }

  // Whether they read something in common, or one only copies: others would only be longer together.
  constexpr bool share(int first, int last) {
    if (computes_[first] == 0 || computes_[last] == 0) return true;
    for (int i = first; i >= 0; i = next_member_[i])
      for (int k = 0; k < g_.nodes[i].operand_count; ++k) read_by_[g_.nodes[i].operands[k]] = first;
    for (int i = last; i >= 0; i = next_member_[i])
      for (int k = 0; k < g_.nodes[i].operand_count; ++k) {
        const int operand = g_.nodes[i].operands[k];
        if (g_.nodes[operand].op->kind == family::constant) continue;
        if (read_by_[operand] == first || group_[operand] == first) return true;
      }
    return false;
  }
};

/// Whether the carry's memory can take its next value at the place where node `next` is computed: whoever
/// reads the old value comes before, or reads no element but the one that it overwrites. What the prologue
/// computes comes too early, in front of the loop.
constexpr bool is_free_for(const graph& g, const list<int>& prologue, const list<int>& group, int carry,
                           int next) {
  const node& n = g.nodes[next];
  const int at = n.op->kind == family::product ? next : group[next];
  if (n.home >= 0 || n.region != g.nodes[carry].region || at < 0 || is_of_prologue(prologue, at))
    return false;
  if (n.op->kind != family::product && g.nodes[at].op->kind != family::pointwise) return false;
  for (int i = 0; i < g.nodes.size(); ++i) {
    const node& reader = g.nodes[i];
    if (reader.region != n.region || reader.op->kind == family::view) continue;
    const bool together = group[i] >= 0 && group[i] == at;
    if (!together && (group[i] >= 0 ? group[i] : i) < at) continue;
    for (int k = 0; k < reader.operand_count; ++k) {
      int base = reader.operands[k];
      while (g.nodes[base].op->kind == family::view) base = g.nodes[base].operands[0];
      if (base == carry && (!together || base != reader.operands[k])) return false;
    }
  }
  return true;
}

}  // namespace detail

/// Joins groups within loops, but for the prologue, which also has numbers that loops alone read.
/// Post-condition: as fuse's.
constexpr void fuse_loops(const graph& g, int largest, const list<int>& prologue, list<int>& group) {
  if (g.regions.size() > 0 && largest > 1) detail::loop_fusion(g, largest, prologue, group).run();
}

/// Next values of carries are computed where the carries are, without a copy, where nobody needs the old
/// value any more.
constexpr void hand_on_in_place(graph& g, const list<int>& prologue, list<int>& group) {
  if (g.carries.size() == 0) return;
  for (int i = 0; i < g.nodes.size(); ++i) {
    if (!hands_on(g.nodes[i])) continue;
    const int carry = g.nodes[i].home, next = g.nodes[i].operands[0];
    if (!detail::is_free_for(g, prologue, group, carry, next)) continue;
    g.nodes[next].home = carry;
    g.nodes[i].home = -1;
    g.nodes[i].op = &graph::last_operation;  // a view, which takes no command
    g.nodes[i].attributes[0] = 0;
    group[i] = -1;
  }
}

}  // namespace tapeless
