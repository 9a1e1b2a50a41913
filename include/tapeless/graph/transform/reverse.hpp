// SPDX-License-Identifier: BSL-1.0
// Reverse mode: extends a graph by the cotangents of some of its nodes. It uses `+`, expand, reshape, sum_to
// and transpose_last from ops/, which graph/ may not include: templates find them by argument-dependent
// lookup.
#pragma once

#include <tapeless/graph/structural/copy.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/graph/transform/recompute.hpp>
#include <tapeless/graph/transform/sums_over_iterations.hpp>

namespace tapeless {

namespace detail {

/// Marks what depends on the nodes `wrt`, among those that derivatives flow through. Iterates to a fixed
/// point, since a carry precedes its next value.
constexpr void mark_dependents(const graph& g, int last, const list<int>& wrt, list<char>& depends) {
  depends.assign(last + 1, 0);
  for (int id : wrt)
    if (id <= last) depends[id] = 1;
  for (bool again = true; again;) {
    for (int i = 0; i <= last; ++i) {
      const node& n = g.nodes[i];
      if (depends[i] != 0 || !is_floating(n.type)) continue;
      for (int k = 0; k < n.operand_count; ++k)
        if (depends[n.operands[k]] != 0) depends[i] = 1;
    }
    again = false;
    for (const loop_carry& c : g.carries)
      if (c.carry <= last && c.next <= last && depends[c.next] != 0 && depends[c.carry] == 0) {
        depends[c.carry] = 1;
        again = true;
      }
  }
}

constexpr value no_derivative(value y) {
  if (y.is(family::carry))
    return y.fail(
        text() << "a derivative is asked for in the body of a scan, through a carry that starts from "
                  "what it is by: write tl::stop_gradient(h) for a carry h that counts as a constant "
                  "there, or take the derivative outside the scan");
  return y.fail(text() << "a derivative is asked for through " << y.get().op->name << ", which has none");
}

constexpr void loop_in_loop(graph& g) {
  g.fail(
      text()
      << "the derivative of a loop is asked for in the iterations of another one: take vjp or jvp outside");
}

constexpr bool leaves_loop(const node& n) {
  return n.op == &graph::stack_operation || n.op == &graph::last_operation;
}

/// One sweep from a node to the first. When it reaches a node, the node's cotangent is complete, and goes on
/// to its operands. A loop is handled as a whole, by a loop that runs backwards.
template <is_value Value>
class reverse_sweep {
 public:
  constexpr reverse_sweep(graph& g, int last, const list<int>& wrt)
      : g_(g), base_(g.region), last_(last), sums_(g) {
    const list<int> by = with_copies(g, wrt);
    recomputations_ = find_recomputations(g, last, by);
    mark_dependents(g, last, by, depends_);
    copy_of_.assign(last + 1, -1);
    for (int id : wrt)
      for_each_copy(g, id, [&](int copy) {
        if (copy <= last) copy_of_[copy] = id;
      });
    cotangent_.assign(last + 1, -1);
    if (g.regions.size() == 0) return;
    first_.assign(g.regions.size() + 1, -1);
    for (int i = last; i >= 0; --i) first_[g.nodes[i].region] = i;
  }

  /// Adds to the cotangent of a node; c may be of a shape that the node's was broadcast to.
  constexpr void add(int id, Value c) {
    c = sum_to(c, shape_of({&g_, id}));
    if (loop_ != 0 && g_.nodes[id].region != loop_) return sums_.add(id, c);
    cotangent_[id] = cotangent_[id] < 0 ? c.id : (Value{&g_, cotangent_[id]} + c).id;
  }

  constexpr void run() {
    for (int i = last_; i >= 0; --i) {
      const int region = g_.nodes[i].region;
      if (region == base_ || region == 0) {
        visit(i);
      } else if (first_[region] == i) {
        run_loop(region);
      }
    }
  }

  /// -1 where nothing has reached the node.
  constexpr int cotangent(int id) const { return id <= last_ ? cotangent_[id] : -1; }

 private:
  graph& g_;
  int base_;  // the region where cotangents are added
  int last_;  // the first node of the sweep
  list<recomputation> recomputations_;
  int loop_ = 0;  // the loop that is being passed
  list<char> depends_;
  list<int> copy_of_;  // of what the sweep is by; -1 for others
  list<int> cotangent_;
  list<int> first_;                   // node of each region
  sums_over_iterations<Value> sums_;  // cotangents of what the loop takes from outside

  constexpr void visit(int i) {
    if (cotangent_[i] < 0 || depends_[i] == 0) return;
    if (copy_of_[i] >= 0) return add(copy_of_[i], {&g_, cotangent_[i]});  // an earlier node
    const node n = g_.nodes[i];
    if (leaves_loop(n)) return;  // it waits for its loop
    if (n.op == &checkpoint_operation) return run_again(i, n.operands[0]);
    if (recomputations_[i] == recomputation::checkpoint) return run_again(i, i);
    propagate(i, i, {&g_, cotangent_[i]}, [&](int k, Value c) { add(n.operands[k], c); });
  }

  // Calls f(k, c) with the cotangent of each operand of node i, whose values are those of node `id`.
  template <class F>
  constexpr void propagate(int i, int id, value g, F f) {
    const node original = g_.nodes[i], n = g_.nodes[id];
    value operands[max_operands];
    for (int k = 0; k < n.operand_count; ++k) operands[k] = {&g_, n.operands[k]};
    for (int k = 0; k < n.operand_count; ++k) {
      if (depends_[original.operands[k]] == 0) continue;
      if (n.op->cotangent == nullptr) {
        no_derivative({&g_, id});
        continue;
      }
      const Value c = n.op->cotangent(k, g, operands, {&g_, id});
      if (c.exists()) f(k, c);
    }
  }

  /// Node i is a checkpoint of node `inner`, or that node itself: its cotangent goes through a copy of what
  /// is inside, computed here and now. What is kept is not copied.
  constexpr void run_again(int i, int inner) {
    if (i != inner && (recomputations_[inner] != recomputation::copied ||
                       !can_repeat(g_.nodes[inner], g_.nodes[inner].region)))
      return add(inner, {&g_, cotangent_[i]});
    list<int> copy, cotangent;  // by original
    repeat_inside(g_, inner, recomputations_, copy);
    cotangent.assign(inner + 1, -1);
    cotangent[inner] = cotangent_[i];
    for (int k = inner; k >= 0; --k) {
      if (cotangent[k] < 0 || depends_[k] == 0) continue;
      const node original = g_.nodes[k];
      propagate(k, copy[k], {&g_, cotangent[k]}, [&](int o, Value c) {
        const int target = original.operands[o];
        if (copy[target] < 0) return add(target, c);
        c = sum_to(c, shape_of({&g_, target}));
        cotangent[target] = cotangent[target] < 0 ? c.id : (Value{&g_, cotangent[target]} + c).id;
      });
    }
  }

  /// Whether the cotangent of what has left a loop goes into its iterations.
  constexpr bool leaves(int i, int region) const {
    if (cotangent_[i] < 0 || !leaves_loop(g_.nodes[i])) return false;
    const int inside = g_.nodes[i].operands[0];
    return g_.nodes[inside].region == region && depends_[inside] != 0;
  }
  constexpr bool anything_leaves(int region) const {
    for (int i = 0; i <= last_; ++i)
      if (leaves(i, region)) return true;
    return false;
  }

  /// By node, whether a cotangent from outside of the loop can reach it, in whatever iteration.
  constexpr list<char> reached_in_loop() const {
    list<char> reached;
    reached.assign(last_ + 1, 0);
    for (int i = 0; i <= last_; ++i) {
      if (!leaves(i, loop_)) continue;
      const int inside = g_.nodes[i].operands[0];
      reached[g_.nodes[i].op == &graph::last_operation ? g_.next(inside) : inside] = 1;
    }
    for (bool again = true; again;) {
      for (int i = last_; i >= 0; --i) {
        const node& n = g_.nodes[i];
        if (reached[i] == 0 || n.region != loop_ || n.op->kind == family::carry) continue;
        for (int k = 0; k < n.operand_count; ++k) reached[n.operands[k]] = 1;
      }
      again = false;
      for (const loop_carry& c : g_.carries) {
        const bool is_here = c.carry <= last_ && g_.nodes[c.carry].region == loop_;
        if (!is_here || reached[c.carry] == 0 || reached[c.next] != 0) continue;
        reached[c.next] = 1;
        again = true;
      }
    }
    return reached;
  }

  /// All that has left the loop has its cotangent: they enter a loop that runs the other way.
  constexpr void run_loop(int region) {
    if (!anything_leaves(region)) return;
    if (base_ != 0) return loop_in_loop(g_);
    const loop_region loop = g_.regions[region - 1];
    g_.open_region({loop.count, !loop.reversed, false});
    loop_ = region;
    list<carry_pair> carries, stacks;
    begin_loop(carries);
    for (int i = last_; i >= 0; --i) {
      const node n = g_.nodes[i];
      if (n.region != region || cotangent_[i] < 0 || depends_[i] == 0 || n.op->kind == family::carry)
        continue;
      if (n.op == &graph::iteration_operation) {
        stacks.push({n.operands[0], cotangent_[i], -1});
      } else {
        visit(i);
      }
    }
    for (const carry_pair& c : carries)
      g_.set_next(c.back,
                  cotangent_[c.forward] >= 0 ? cotangent_[c.forward] : zeros_of<Value>(g_, c.back).id);
    // after the carries' next values, so that a sweep that begins at a stack passes all of these
    for (carry_pair& s : stacks) s.back = g_.stack(in_open_region(g_, s.back));
    sums_.end_iteration(stacks);
    g_.region = base_;
    loop_ = 0;
    for (const carry_pair& s : stacks) add(s.forward, {&g_, s.back});
    for (const carry_pair& c : carries) {
      const int start = g_.nodes[c.forward].operands[0];
      if (depends_[start] != 0) add(start, {&g_, g_.last_value(c.back)});
    }
    sums_.give_to([&](int id, Value c) { add(id, c); });
  }

  // Gives the cotangents of what leaves the loop to the iterations, and makes the carries that lead them
  // back.
  constexpr void begin_loop(list<carry_pair>& carries) {
    const list<char> reached = reached_in_loop();
    const int count = g_.carries.size();
    for (int k = 0; k < count; ++k) {
      const loop_carry c = g_.carries[k];
      if (g_.nodes[c.carry].region != loop_ || c.carry > last_ || depends_[c.carry] == 0) continue;
      int start = -1;
      for (int i = 0; i <= last_; ++i)
        if (g_.nodes[i].op == &graph::last_operation && g_.nodes[i].operands[0] == c.carry)
          start = cotangent_[i];
      if (start < 0 && reached[c.carry] == 0) continue;  // zeros times what is not finite would be NaN
      if (start < 0) start = zeros_in_region<Value>(g_, c.carry, g_.nodes[c.carry].type, base_);
      const int back = g_.carry(start);
      carries.push({c.carry, back, -1});
      if (depends_[c.next] != 0) add(c.next, {&g_, back});
    }
    for (int i = 0; i <= last_; ++i) {
      const node n = g_.nodes[i];
      if (n.op == &graph::stack_operation && leaves(i, loop_))
        add(n.operands[0], {&g_, g_.in_iteration(cotangent_[i])});
    }
  }
};

}  // namespace detail

/// The cotangents of the nodes `wrt` where that of y is `seed`: cotangents[i] is a node's number, or -1
/// where y does not depend on wrt[i] (or only through operations whose derivative is zero). What no
/// cotangent needs is not built. A node that is used several times gets the sum.
template <is_value Value>
constexpr void reverse(Value y, value seed, const list<int>& wrt, list<int>& cotangents) {
  detail::reverse_sweep<Value> sweep(*y.builder, y.id, wrt);
  sweep.add(y.id, seed);
  sweep.run();
  cotangents.clear();
  for (int id : wrt) cotangents.push(sweep.cotangent(id));
}

}  // namespace tapeless
