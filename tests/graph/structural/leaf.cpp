// SPDX-License-Identifier: BSL-1.0
// Leaves carry what they were built with, and are equal where all of it is.
#include "catch.hpp"
#include "value_graph.hpp"

namespace {

constexpr tl::initializer one{tl::initializer::kind::constant, 1}, two{tl::initializer::kind::constant, 2};

static_assert([] {
  tl::graph g;
  const tl::value a = make_parameter(g, &tl::interned<"a">, tl::element::f32, {1, {3}}, one);
  const tl::value b = make_parameter(g, &tl::interned<"b">, tl::element::f32, {1, {3}}, two, true);
  const tl::value c = make_parameter(g, &tl::interned<"c">, tl::element::f32, {1, {3}}, one);
  tl::number_parameters(g);
  return parameter_number(a.get()) == 0 && parameter_number(b.get()) == 1 && parameter_number(c.get()) == 2 &&
         g.initializers[initializer_number(b.get())] == two &&
         initializer_number(a.get()) == initializer_number(c.get()) && !is_buffer(a.get()) &&
         is_buffer(b.get());
}());

// Where each iteration has parameters of its own, the parameter is all of them.
static_assert([] {
  tl::graph g;
  g.open_region({.count = 5, .stacks = true});
  const tl::value a = make_parameter(g, &tl::interned<"a">, tl::element::f32, {1, {3}}, one, true);
  const tl::node& all = a.operand(0).get();
  const tl::initializer& start = g.initializers[initializer_number(all)];
  return a.is(tl::view_kind::iteration) && a.rank() == 1 && all.rank == 2 && all.shape[0] == 5 &&
         all.shape[1] == 3 && is_buffer(all) && start.value == 1 && start.stacked;
}());

static_assert([] {
  tl::graph g;
  make_parameter(g, &tl::interned<"a">, tl::element::f32, {}, one);
  const tl::value s = make_state(g, &tl::interned<"s">, tl::element::f32, {}, 7, 3, two);
  return state_number(s.get()) == 7 && parameter_of_state(s.get()) == 3 &&
         g.initializers[initializer_number(s.get())] == two && !is_buffer(s.get());
}());

static_assert([] {
  tl::graph g;
  const std::int64_t n = g.extents.number(tl::dyn<"n">);
  const tl::value first = make_hyperparameter(g, 4), size = tl::make_size(g, n);
  return hyperparameter_number(first.get()) == 4 && extent_of(size.get()) == n &&
         make_hyperparameter(g, 4).id == first.id && make_hyperparameter(g, 5).id != first.id &&
         is_constant(tl::make_size(g, 6), 6);
}());

// A carry's number is its place among the graph's.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {3}), y = test::input<"y">(g, {3});
  g.open_region({.count = 5});
  const int a = g.carry(x.id), b = g.carry(y.id);
  g.set_next(a, b);
  return carry_number(g.nodes[a]) == 0 && carry_number(g.nodes[b]) == 1 && g.carries[1].carry == b &&
         g.next(a) == b && g.next(b) == b;
}());

}  // namespace

TEST_CASE("leaves are constants") { SUCCEED(); }
