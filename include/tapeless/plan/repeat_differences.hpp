// SPDX-License-Identifier: BSL-1.0
// What takes less time to compute than to read from memory is computed again by each kernel that reads it: x
// less its mean, which a variance and what is divided by it need, or x less its maximum. No memory is kept
// for it, and none is passed over to fill it.
#pragma once

#include <tapeless/plan/access.hpp>
#include <tapeless/plan/fuse.hpp>

namespace tapeless {

/// In the place of a group's root: each group that reads the node computes it.
inline constexpr int computed_by_readers = -2;

namespace detail {

class difference_repetition {
 public:
  constexpr difference_repetition(graph& g, int largest, list<int>& group)
      : g_(g), largest_(largest), group_(group) {
    size_.assign(g.nodes.size(), 0);
    for (int i = 0; i < g.nodes.size(); ++i)
      if (group[i] >= 0) ++size_[group[i]];
    is_kept_.assign(g.nodes.size(), 0);
    for (const graph_output& o : g.outputs) is_kept_[o.node] = 1;
    for (const graph_effect& e : g.effects) is_kept_[e.node] = 1;
  }

  constexpr void run() {
    for (int i = 0; i < g_.nodes.size(); ++i) {
      if (!is_repeatable(i)) continue;
      list<int> readers;  // by the roots of their groups
      if (!fits_readers(i, readers)) continue;
      for (int root : readers) ++size_[root];
      group_[i] = computed_by_readers;
    }
  }

 private:
  static constexpr int most_readers = 3;

  graph& g_;
  int largest_;
  list<int>& group_;
  list<int> size_;  // by root
  list<char> is_kept_;

  constexpr bool is_repeatable(int i) const {
    const node& n = g_.nodes[i];
    if (!n.op->is_brief || group_[i] != i || size_[i] != 1 || is_kept_[i] != 0) return false;
    if (n.region != 0 || n.home >= 0 || n.rank == 0) return false;
    int large = 0;
    for (int k = 0; k < n.operand_count; ++k) {
      const node& operand = g_.nodes[n.operands[k]];
      if (operand.region != 0 || group_[n.operands[k]] == computed_by_readers) return false;
      if (!same_shape(operand, n)) continue;
      ++large;
      if (!is_read_in_order(n.operands[k])) return false;
    }
    return large == 1;
  }
  // What a product has computed may become its epilogue, and parameters and states may change. A small
  // operand may be one of these: commands that overwrite it wait for all that read it.
  constexpr bool is_read_in_order(int id) const {
    access a;
    if (!resolve(g_, id, a) || !is_contiguous(g_, a, g_.nodes[id])) return false;
    const family kind = g_.nodes[a.base].op->kind;
    return kind == family::input || (source_of(kind) == element_source::kernel && kind != family::product);
  }
  constexpr bool fits_readers(int id, list<int>& readers) const {
    for (int i = id + 1; i < g_.nodes.size(); ++i)
      for (int k = 0; k < g_.nodes[i].operand_count; ++k) {
        if (g_.nodes[i].operands[k] != id) continue;
        const int root = group_[i];
        if (root < 0 || g_.nodes[i].op == &copy_operation || g_.nodes[i].region != 0) return false;
        if (!same_shape(g_.nodes[iteration_node(g_, root)], g_.nodes[id])) return false;
        if (contains(readers, root)) continue;
        if (readers.size() == most_readers || size_[root] >= largest_) return false;
        readers.push(root);
      }
    return true;
  }
  static constexpr bool contains(const list<int>& all, int one) {
    for (int other : all)
      if (other == one) return true;
    return false;
  }
};

}  // namespace detail

/// Post-condition: group[i] is computed_by_readers for such differences, whose operands are in memory when
/// those read them.
constexpr void repeat_differences(graph& g, int largest, list<int>& group) {
  if (largest > 1) detail::difference_repetition(g, largest, group).run();
}

}  // namespace tapeless
