// SPDX-License-Identifier: BSL-1.0
// Reverse mode: extends a graph by the cotangents of some of its nodes. It uses `+`, expand, reshape, sum_to
// and transpose_last from ops/, which graph/ may not include: templates find them by argument-dependent
// lookup.
#pragma once

#include <tapeless/graph/structural/copy.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/graph/transform/recompute.hpp>

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
  return y.fail(text() << "a derivative is asked for through " << y.get().op->name << ", which has none");
}

constexpr void loop_in_loop(graph& g) {
  g.fail(text()
         << "the derivative of a scan is asked for in the iterations of another loop (jacobian, hessian or "
            "the body of a scan): take vjp or jvp outside the scan");
}

constexpr bool leaves_loop(const node& n) {
  return n.op == &graph::stack_operation || n.op == &graph::last_operation;
}

template <is_value Value>
constexpr Value zeros_of(graph& g, int id) {
  return expand(Value(make_constant(g, 0, g.nodes[id].type)), shape_of({&g, id}));
}

/// One sweep from a node to the first. When it reaches a node, the node's cotangent is complete, and goes on
/// to its operands. A loop is handled as a whole, by a loop that runs backwards.
template <is_value Value>
class reverse_sweep {
 public:
  constexpr reverse_sweep(graph& g, int last, const list<int>& wrt) : g_(g), base_(g.region), last_(last) {
    mark_dependents(g, last, wrt, depends_);
    cotangent_.assign(last + 1, -1);
    if (g.regions.size() == 0) return;
    first_.assign(g.regions.size() + 1, -1);
    for (int i = last; i >= 0; --i) first_[g.nodes[i].region] = i;
  }

  /// Adds to the cotangent of a node; c may be of a shape that the node's was broadcast to.
  constexpr void add(int id, Value c) {
    c = sum_to(c, shape_of({&g_, id}));
    if (loop_ != 0 && g_.nodes[id].region != loop_) return add_over_iterations(id, c);
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
  /// Two carries that belong together: of the loop and of the one back, or of a sum over all iterations.
  struct carry_pair {
    int forward = -1;
    int back = -1;
    int next = -1;
  };

  /// A product whose values in all iterations are added up.
  struct term_of_sum {
    int of = -1;
    int product = -1;  // in one iteration
    int left = -1;
    int right = -1;
  };

  graph& g_;
  int base_;      // the region where cotangents are added
  int last_;      // the first node of the sweep
  int loop_ = 0;  // the loop that is being passed
  list<char> depends_;
  list<int> cotangent_;
  list<int> first_;             // node of each region
  list<carry_pair> sums_;       // cotangents of what the loop takes from outside
  list<term_of_sum> products_;  // those of them that may be added up by one product

  constexpr void visit(int i) {
    if (cotangent_[i] < 0 || depends_[i] == 0) return;
    const node n = g_.nodes[i];
    if (leaves_loop(n)) return;  // it waits for its loop
    if (n.op == &checkpoint_operation) return run_again(i);
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

  /// Node i is a checkpoint: its cotangent goes through a copy of what is inside, computed here and now.
  constexpr void run_again(int i) {
    const int inner = g_.nodes[i].operands[0];
    list<int> copy, cotangent;  // by original
    repeat_inside(g_, inner, copy);
    if (copy[inner] < 0) return add(inner, {&g_, cotangent_[i]});
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

  // What the loop takes from outside gets the sum over all iterations. Of products it is known when the
  // loop's other cotangents are whether they are added up here.
  constexpr void add_over_iterations(int id, Value c) {
    if (is_product_of_matrices(c)) return void(products_.push({id, c.id, c.operand(0).id, c.operand(1).id}));
    add_in_each_iteration(id, c);
  }
  constexpr void add_in_each_iteration(int id, Value c) {
    for (carry_pair& s : sums_)
      if (s.forward == id) {
        s.next = (Value{&g_, s.next} + c).id;
        return;
      }
    const int back = g_.carry(zeros_outside(id));
    sums_.push({id, back, (Value{&g_, back} + c).id});
  }
  constexpr bool is_product_of_matrices(Value c) const {
    const node& n = c.get();
    return n.op->kind == family::product && n.rank == 2 && n.region == g_.region;
  }

  // A matrix [m, n] that is a product of k terms in each iteration is read and written in each; a weight's
  // cotangent is one. Where its factors are no larger they are saved instead, and one product adds up the
  // terms of all iterations. Factors that are saved anyway count nothing.
  constexpr bool is_better_as_one_product(const term_of_sum& p, const list<carry_pair>& stacks) const {
    const node& n = g_.nodes[p.product];
    const std::int64_t rows = n.shape[0], columns = n.shape[1], terms = g_.nodes[p.right].shape[0];
    if (!extent_table::is_literal(rows) || !extent_table::is_literal(columns) ||
        !extent_table::is_literal(terms))
      return false;
    const std::int64_t left = is_kept(p.left, stacks) ? 0 : terms * rows,
                       right = is_kept(p.right, stacks) ? 0 : terms * columns;
    return left + right <= rows * columns;
  }
  constexpr bool is_kept(int id, const list<carry_pair>& stacks) const {
    if (g_.nodes[id].op == &graph::iteration_operation) return true;
    for (const carry_pair& s : stacks)
      if (g_.nodes[s.back].operands[0] == id) return true;
    return false;
  }
  // Chooses how the sums of products are made. Post-condition: products_ are those that one product makes.
  constexpr void choose_products(const list<carry_pair>& stacks) {
    list<term_of_sum> together;
    for (term_of_sum& p : products_) {
      p.left = transpose_last(Value{&g_, p.left}).id;
      if (!is_better_as_one_product(p, stacks)) {
        add_in_each_iteration(p.of, {&g_, p.product});
        continue;
      }
      p.left = in_all_iterations(p.left);
      p.right = in_all_iterations(p.right);
      together.push(p);
    }
    products_ = std::move(together);
  }
  // [k, n] -> [iterations, k, n]; what is read from there already is not stacked again.
  constexpr int in_all_iterations(int id) {
    const node n = g_.nodes[id];
    return n.op == &graph::iteration_operation ? n.operands[0] : g_.stack(in_loop(id));
  }
  // [iterations, k, n] -> [iterations * k, n].
  constexpr Value all_rows(int id) {
    const shape_list s = shape_of({&g_, id});
    const std::int64_t rows = g_.extents.multiply(s.extents[0], s.extents[1]);
    return Value(reshape(Value{&g_, id}, shape_list{2, {rows, s.extents[2]}}));
  }
  constexpr Value product_of_all_rows(const term_of_sum& p) {
    node product = g_.nodes[p.product];
    product.operands[0] = transpose_last(all_rows(p.left)).id;
    product.operands[1] = all_rows(p.right).id;
    product.rematerialization = g_.rematerialization;
    return {&g_, g_.add(product)};
  }
  constexpr int zeros_outside(int id) {
    const int inside = g_.region;
    g_.region = base_;
    const int zeros = zeros_of<Value>(g_, id).id;
    g_.region = inside;
    return zeros;
  }

  constexpr bool anything_leaves(int region) const {
    for (int i = 0; i <= last_; ++i)
      if (cotangent_[i] >= 0 && leaves_loop(g_.nodes[i]) &&
          g_.nodes[g_.nodes[i].operands[0]].region == region)
        return true;
    return false;
  }

  /// All that has left the loop has its cotangent: they enter a loop that runs the other way.
  constexpr void run_loop(int region) {
    if (!anything_leaves(region)) return;
    if (base_ != 0) return loop_in_loop(g_);
    const loop_region loop = g_.regions[region - 1];
    g_.open_region({loop.count, !loop.reversed, false});
    loop_ = region;
    sums_.clear();
    products_.clear();
    list<carry_pair> carries, stacks;
    begin_loop(carries);
    for (int i = last_; i >= 0; --i) {
      const node n = g_.nodes[i];
      if (n.region != region || cotangent_[i] < 0 || depends_[i] == 0 || n.op->kind == family::carry)
        continue;
      if (n.op == &graph::iteration_operation) {
        stacks.push({n.operands[0], g_.stack(in_loop(cotangent_[i])), -1});
      } else {
        visit(i);
      }
    }
    for (const carry_pair& c : carries)
      g_.set_next(c.back,
                  cotangent_[c.forward] >= 0 ? cotangent_[c.forward] : zeros_of<Value>(g_, c.back).id);
    choose_products(stacks);
    for (const carry_pair& s : sums_) g_.set_next(s.back, s.next);
    g_.region = base_;
    loop_ = 0;
    for (const carry_pair& s : stacks) add(s.forward, {&g_, s.back});
    for (const carry_pair& c : carries) {
      const int start = g_.nodes[c.forward].operands[0];
      if (depends_[start] != 0) add(start, {&g_, g_.last_value(c.back)});
    }
    for (const carry_pair& s : sums_) add(s.forward, {&g_, g_.last_value(s.back)});
    for (const term_of_sum& p : products_) add(p.of, product_of_all_rows(p));
  }

  constexpr int in_loop(int id) {
    return g_.nodes[id].region == g_.region ? id : insert_copy(g_, id, g_.region);
  }

  // Gives the cotangents of what leaves the loop to the iterations, and makes the carries that lead them
  // back.
  constexpr void begin_loop(list<carry_pair>& carries) {
    const int count = g_.carries.size();
    for (int k = 0; k < count; ++k) {
      const loop_carry c = g_.carries[k];
      if (g_.nodes[c.carry].region != loop_ || c.carry > last_ || depends_[c.carry] == 0) continue;
      int start = -1;
      for (int i = 0; i <= last_; ++i)
        if (g_.nodes[i].op == &graph::last_operation && g_.nodes[i].operands[0] == c.carry)
          start = cotangent_[i];
      const int back = g_.carry(start >= 0 ? start : zeros_outside(c.carry));
      carries.push({c.carry, back, -1});
      if (depends_[c.next] != 0) add(c.next, {&g_, back});
    }
    for (int i = 0; i <= last_; ++i) {
      const node n = g_.nodes[i];
      if (n.op == &graph::stack_operation && cotangent_[i] >= 0 && g_.nodes[n.operands[0]].region == loop_)
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
