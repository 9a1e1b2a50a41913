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
      : g_(g), largest_(largest), overwrites_(overwriting(g)), group_(group) {
    size_.assign(g.nodes.size(), 0);
    for (int i = 0; i < g.nodes.size(); ++i)
      if (group[i] >= 0) ++size_[group[i]];
  }

  /// Each group joins the first one behind it that it can wait for.
  constexpr void run() {
    list<int> roots;
    for (int i = 0; i < g_.nodes.size(); ++i)
      if (can_join(i)) roots.push(i);
    for (int k = roots.size() - 2; k >= 0; --k)
      for (int other = k + 1; other < roots.size(); ++other) {
        const int first = roots[k], last = roots[other];
        if (group_[last] != last || !belong_together(first, last)) continue;
        join(first, last);
        break;
      }
  }

 private:
  const graph& g_;
  int largest_;
  list<char> overwrites_;
  list<int>& group_;
  list<int> size_;

  constexpr bool can_join(int i) const {
    const node& n = g_.nodes[i];
    const bool has_own_memory = n.home < 0 || g_.nodes[n.home].op->kind == family::stacked;
    return group_[i] == i && n.op->kind == family::reduction && has_own_memory && overwrites_[i] == 0;
  }
  constexpr bool belong_together(int first, int last) const {
    const node &a = g_.nodes[first], &b = g_.nodes[last];
    return a.region == b.region && axes_of(a) == axes_of(b) &&
           same_shape(g_.nodes[a.operands[0]], g_.nodes[b.operands[0]]) &&
           size_[first] + size_[last] <= largest_ && can_wait(first, last) && reads_all_of(last, first) &&
           !may_be_taken_along(first);
  }
  constexpr void join(int first, int last) {
    for (int i = 0; i <= first; ++i)
      if (group_[i] == first) group_[i] = last;
    size_[last] += size_[first];
  }

  constexpr bool can_wait(int first, int last) const {
    for (int i = first + 1; i <= last; ++i)
      for (int k = 0; k < g_.nodes[i].operand_count; ++k)
        if (g_.nodes[i].operands[k] == first) return false;
    return true;
  }

  // Whether a group reads all that the other one reads, so that nothing has to be kept for longer.
  constexpr bool reads_all_of(int last, int first) const {
    list<char> read;
    read.assign(g_.nodes.size(), 0);
    for (const int root : {last, first})
      for (int i = 0; i <= root; ++i)
        for (int k = 0; group_[i] == root && k < g_.nodes[i].operand_count; ++k) {
          const int operand = g_.nodes[i].operands[k];
          if (group_[operand] == root || g_.nodes[operand].op->kind == family::constant) continue;
          if (root == last) read[operand] = 1;
          if (read[operand] == 0) return false;
        }
    return true;
  }

  // A plain sum of what a product reads, too: there are backends whose products sum up what they read.
  constexpr bool may_be_taken_along(int first) const {
    if (size_[first] != 1) return false;
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
