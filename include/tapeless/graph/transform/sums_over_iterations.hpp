// SPDX-License-Identifier: BSL-1.0
// What reverse mode adds up over the iterations of a loop. It uses `+`, cast, expand, reshape and
// transpose_last, as reverse mode does.
#pragma once

#include <tapeless/graph/structural/copy.hpp>
#include <tapeless/graph/structural/leaf.hpp>

namespace tapeless::detail {

/// Two carries that belong together: of the loop and of the one back, or of a sum over all iterations.
struct carry_pair {
  int forward = -1;
  int back = -1;
  int next = -1;
};

template <is_value Value>
constexpr Value zeros_of(graph& g, int id, element type) {
  return expand(Value(make_constant(g, 0, type)), shape_of({&g, id}));
}
template <is_value Value>
constexpr Value zeros_of(graph& g, int id) {
  return zeros_of<Value>(g, id, g.nodes[id].type);
}
/// The same of this type, in a region.
template <is_value Value>
constexpr int zeros_in_region(graph& g, int id, element type, int region) {
  const int open = g.region;
  g.region = region;
  const int zeros = zeros_of<Value>(g, id, type).id;
  g.region = open;
  return zeros;
}

/// The cotangents of what a loop takes from outside, while the loop that goes back is open: sums over all
/// iterations, each by a carry or, of products of matrices, by one product after the loop.
template <is_value Value>
class sums_over_iterations {
 public:
  /// Of loops in the region that is open.
  constexpr explicit sums_over_iterations(graph& g) : g_(g), outside_(g.region) {}

  /// Adds c, which an iteration has, to the cotangent of a node outside. Of products it is known when the
  /// loop's other cotangents are whether they are added up here.
  constexpr void add(int id, Value c) {
    if (is_product_of_matrices(c)) return void(products_.push({id, c.id, c.operand(0).id, c.operand(1).id}));
    add_in_each_iteration(id, c);
  }

  /// All of an iteration is there; `stacks` are the values that are saved of each besides.
  constexpr void end_iteration(const list<carry_pair>& stacks) {
    choose_products(stacks);
    for (const carry_pair& s : carries_) g_.set_next(s.back, s.next);
  }

  /// Calls add(id, sum) for each of them, outside the loop, and forgets them.
  template <class Add>
  constexpr void give_to(Add add) {
    for (const carry_pair& s : carries_)
      add(s.forward, Value(cast(Value{&g_, g_.last_value(s.back)}, g_.nodes[s.forward].type)));
    for (const term_of_sum& p : products_) add(p.of, product_of_all_rows(p));
    carries_.clear();
    products_.clear();
  }

 private:
  /// A product whose values in all iterations are added up.
  struct term_of_sum {
    int of = -1;
    int product = -1;  // in one iteration
    int left = -1;
    int right = -1;
  };

  graph& g_;
  int outside_;
  list<carry_pair> carries_;
  list<term_of_sum> products_;

  // Of 16 bits in float: a sum of many would stop growing.
  constexpr void add_in_each_iteration(int id, Value term) {
    const element type = computed_in(g_.nodes[id].type);
    const Value c{cast(term, type)};
    for (carry_pair& s : carries_)
      if (s.forward == id) {
        s.next = (Value{&g_, s.next} + c).id;
        return;
      }
    const int back = g_.carry(zeros_in_region<Value>(g_, id, type, outside_));
    const int next = (Value{&g_, back} + c).id;
    carries_.push({id, back, next});
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
    return n.op == &graph::iteration_operation ? n.operands[0] : g_.stack(in_open_region(g_, id));
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
};

}  // namespace tapeless::detail
