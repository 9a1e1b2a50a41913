// SPDX-License-Identifier: BSL-1.0
// Fusing reductions of the same elements: the gradients of a norm's weight and bias are sums along the same
// axes, of which one reads nothing that the other does not read. Together they read it once.
#pragma once

#include <tapeless/graph/structural/axis_attributes.hpp>
#include <tapeless/plan/fuse.hpp>

namespace tapeless {

namespace detail {

/// Joins groups that reduce. Node i is computed at the place of its group's root.
class sum_fusion {
 public:
  constexpr sum_fusion(const graph& g, int largest, list<int>& group)
      : g_(g), largest_(largest), group_(group) {
    const list<char> overwrites = overwriting(g);
    next_member_.assign(g.nodes.size(), -1);
    first_member_.assign(g.nodes.size(), -1);
    for (int i = g.nodes.size() - 1; i >= 0; --i) {
      const int root = group[i];
      if (root < 0 || g.nodes[root].op->kind != family::reduction) continue;
      if (i == root && has_own_memory(i) && overwrites[i] == 0) roots_.push(i);
      next_member_[i] = first_member_[root];
      first_member_[root] = i;
    }
  }

  /// Each group joins the first one behind it that it can wait for, of a few: what reads the same is near.
  constexpr void run() {
    for (int k = 1; k < roots_.size(); ++k)  // the last comes first
      for (int other = k - 1; other >= 0 && other >= k - most_tried; --other) {
        const int first = roots_[k], last = roots_[other];
        if (group_[last] != last || !belong_together(first, last)) continue;
        join(first, last);
        break;
      }
  }

 private:
  static constexpr int most_tried = 4;

  const graph& g_;
  int largest_;
  list<int>& group_;
  list<int> roots_;
  list<int> next_member_, first_member_;  // of groups that reduce

  constexpr bool has_own_memory(int i) const {
    const int home = g_.nodes[i].home;
    return home < 0 || g_.nodes[home].op->kind == family::stacked;
  }
  constexpr bool belong_together(int first, int last) const {
    const node &a = g_.nodes[first], &b = g_.nodes[last];
    return a.region == b.region && axes_of(a) == axes_of(b) &&
           same_shape(g_.nodes[a.operands[0]], g_.nodes[b.operands[0]]) && reads_all_of(last, first) &&
           size_of_group(first) + size_of_group(last) <= largest_ && can_wait(first, last) &&
           !may_be_taken_along(first);
  }
  constexpr void join(int first, int last) {
    int end = first_member_[first];
    while (true) {
      group_[end] = last;
      if (next_member_[end] < 0) break;
      end = next_member_[end];
    }
    next_member_[end] = first_member_[last];
    first_member_[last] = first_member_[first];
  }
  constexpr int size_of_group(int root) const {
    int size = 0;
    for (int i = first_member_[root]; i >= 0; i = next_member_[i]) ++size;
    return size;
  }

  constexpr bool can_wait(int first, int last) const {
    for (int i = first + 1; i <= last; ++i)
      for (int k = 0; k < g_.nodes[i].operand_count; ++k)
        if (g_.nodes[i].operands[k] == first) return false;
    return true;
  }

  // Whether a group reads all that the other one reads, so that nothing has to be kept for longer.
  constexpr bool reads_all_of(int last, int first) const {
    for (int i = first_member_[first]; i >= 0; i = next_member_[i])
      for (int k = 0; k < g_.nodes[i].operand_count; ++k) {
        const int operand = g_.nodes[i].operands[k];
        if (group_[operand] == first || g_.nodes[operand].op->kind == family::constant) continue;
        if (!reads(last, operand)) return false;
      }
    return true;
  }
  constexpr bool reads(int root, int operand) const {
    for (int i = first_member_[root]; i >= 0; i = next_member_[i])
      for (int k = 0; k < g_.nodes[i].operand_count; ++k)
        if (g_.nodes[i].operands[k] == operand) return true;
    return false;
  }

  // A plain sum of what a product reads, too: there are backends whose products sum up what they read.
  constexpr bool may_be_taken_along(int first) const {
    if (size_of_group(first) != 1) return false;
    const int of = without_views(g_.nodes[first].operands[0]);
    for (const node& n : g_.nodes)
      for (int k = 0; n.op->kind == family::product && k < n.operand_count; ++k)
        if (without_views(n.operands[k]) == of) return true;
    return false;
  }
  constexpr int without_views(int id) const {
    while (g_.nodes[id].op->kind == family::view) id = g_.nodes[id].operands[0];
    return id;
  }
};

}  // namespace detail

/// Joins reductions of the same elements along the same axes. Post-condition: as fuse's, but that several
/// members of a group may reduce.
constexpr void fuse_sums(const graph& g, int largest, list<int>& group) {
  if (largest > 1) detail::sum_fusion(g, largest, group).run();
}

}  // namespace tapeless
