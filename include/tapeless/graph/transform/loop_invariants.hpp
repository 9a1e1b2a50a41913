// SPDX-License-Identifier: BSL-1.0
// What a loop's body computes alike in all iterations, in front of the loop.
#pragma once

#include <tapeless/graph/structural/left_alone.hpp>

namespace tapeless::detail {

/// Takes out of a loop's body what is the same in all iterations: carries that are handed on as they came,
/// and what is computed from these and from outside. It is computed once, and derivatives keep no copy of it
/// for each iteration. Views stay, which cost nothing, and what is made of constants and indices alone, which
/// kernels compute on the way. What equals a value outside of the loop becomes that one, in derivatives, too;
/// and it is computed, with its derivative, even if the loop has no iterations.
class loop_invariants {
 public:
  /// Of the region that is open. Its nodes are those from number `first` on, and its carries know what the
  /// next iteration gets.
  constexpr loop_invariants(graph& g, int first) : g_(g), first_(first), end_(g.nodes.size()) {
    number_.assign(end_ - first, -1);
    find_kinds();
    if (!anything_to_take_out()) return;
    remove_body();
    insert_in_front();
    insert_body();
    renumber_carries();
    for (graph_draw& d : g_.draws) {
      d.node = number(d.node);
      d.like = number(d.like);
    }
    for (recomputed_node& r : g_.recomputed) r = {number(r.id), number(r.copy)};
  }

  /// Where node `id` is now.
  constexpr int number(int id) const {
    return id < first_ || number_[id - first_] < 0 ? id : number_[id - first_];
  }

 private:
  enum class kind : char { outside, constant, same_view, same, varies };

  graph& g_;
  int first_, end_;
  list<kind> kinds_;  // by number from first_ on
  list<node> nodes_;  // as they were
  list<int> number_;

  constexpr kind kind_of(int id) const {
    return id < first_ ? kind_outside(g_.nodes[id]) : kinds_[id - first_];
  }
  static constexpr kind kind_outside(const node& n) {
    const family f = n.op->kind;
    return f == family::constant || f == family::iota || f == family::size ? kind::constant : kind::outside;
  }

  constexpr void find_kinds() {
    for (int i = first_; i < end_; ++i) kinds_.push(kind_of_new(i));
  }
  constexpr kind kind_of_new(int id) const {
    const node& n = g_.nodes[id];
    if (n.region != g_.region) return kind_outside(n);
    if (n.op->kind == family::carry) return g_.next(id) == id ? kind::same : kind::varies;
    if (n.op == &graph::iteration_operation) return kind::varies;
    kind result = kind::constant;
    for (int k = 0; k < n.operand_count; ++k) {
      const kind operand = kind_of(n.operands[k]);
      if (operand == kind::varies) return kind::varies;
      if (operand != kind::constant) result = n.op->kind == family::view ? kind::same_view : kind::same;
    }
    return result;
  }

  constexpr bool is_taken_out(int id) const { return kind_of(id) == kind::same; }
  constexpr bool anything_to_take_out() const {
    for (int i = first_; i < end_; ++i)
      if (is_taken_out(i) && g_.nodes[i].op != &gradient_stop) return true;
    return false;
  }

  // Sweeps over the graph meet leaves of no loop in its place, which nothing reads.
  constexpr void remove_body() {
    for (int i = first_; i < end_; ++i) {
      nodes_.push(g_.nodes[i]);
      if (g_.nodes[i].region == g_.region) g_.nodes[i] = forgotten_node();
    }
  }
  constexpr const node& old(int id) const { return nodes_[id - first_]; }

  // With the views and constants that it is made of.
  constexpr void insert_in_front() {
    list<char> in_front;
    in_front.assign(end_ - first_, 0);
    for (int i = end_ - 1; i >= first_; --i) {
      if (is_taken_out(i)) in_front[i - first_] = 1;
      const node& n = old(i);
      if (in_front[i - first_] == 0 || n.op->kind == family::carry) continue;
      for (int k = 0; k < n.operand_count; ++k)
        if (n.operands[k] >= first_) in_front[n.operands[k] - first_] = 1;
    }
    for (int i = first_; i < end_; ++i)
      if (in_front[i - first_] != 0 && old(i).region == g_.region)
        number_[i - first_] = old(i).op->kind == family::carry ? old(i).operands[0] : insert(i, 0);
  }
  constexpr void insert_body() {
    for (int i = first_; i < end_; ++i)
      if (old(i).region == g_.region && !is_taken_out(i)) number_[i - first_] = insert(i, g_.region);
  }
  constexpr int insert(int id, int region) {
    node n = old(id);
    n.region = region;
    for (int k = 0; k < n.operand_count; ++k) n.operands[k] = number(n.operands[k]);
    return g_.insert(n);
  }
  constexpr void renumber_carries() {
    for (loop_carry& c : g_.carries)
      if (c.carry >= first_ && kind_of(c.carry) == kind::varies) c = {number(c.carry), number(c.next)};
  }

  static constexpr operation forgotten{"forgotten", family::constant};
  static constexpr node forgotten_node() {
    node n;
    n.op = &forgotten;
    return n;
  }
};

}  // namespace tapeless::detail
