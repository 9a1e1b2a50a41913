// SPDX-License-Identifier: BSL-1.0
// The graph: equal nodes are shared, constants are folded, what nobody needs is dropped, and it can be a
// constant.
#include "catch.hpp"
#include "value_graph.hpp"

#include <tapeless/graph/transform/loop_invariants.hpp>
#include <tapeless/graph/transform/prune.hpp>
#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/pointwise/hypot.hpp>

namespace {

// Equal nodes have one number; another operand, type, shape or attribute makes another node.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {2, 3});
  return (x * x).id == (x * x).id && exp(x).id == exp(x).id && exp(x).id != sin(x).id &&
         slice(x, 1, 0, 1, 2).id != slice(x, 1, 1, 1, 2).id &&
         slice(x, 1, 0, 1, 2).id != slice(x, 0, 0, 1, 1).id && test::input<"x">(g, {2, 3}).id == x.id &&
         test::input<"y">(g, {2, 3}).id != x.id;
}());

// Each part of a node counts, but not what stands behind its operands and axes.
static_assert([] {
  tl::graph g;
  const tl::node n = (test::input<"x">(g, {2, 3}) * test::input<"y">(g, {2, 3})).get();
  const auto differs = [&](auto change) {
    tl::node other = n;
    change(other);
    return !(other == n) && !(n == other);
  };
  bool all = true;
  for (int i = 0; i < tl::max_rank; ++i) {
    all = all && differs([&](tl::node& m) { m.shape[i] = 7; }) == (i < n.rank);
    all = all && differs([&](tl::node& m) { m.attributes[i] = 7; });
  }
  for (int k = 0; k < tl::max_operands; ++k)
    all = all && differs([&](tl::node& m) { m.operands[k] = 7; }) == (k < n.operand_count);
  return all && differs([](tl::node& m) { m.op = &tl::copy_operation; }) &&
         differs([](tl::node& m) { m.type = tl::element::f64; }) && differs([](tl::node& m) { --m.rank; }) &&
         differs([](tl::node& m) { --m.operand_count; }) && differs([](tl::node& m) { m.number = 7; }) &&
         differs([](tl::node& m) { m.label = &tl::interned<"x">; }) &&
         differs([](tl::node& m) { m.region = 7; }) &&
         differs([](tl::node& m) { m.rematerialization = 7; }) && differs([](tl::node& m) { m.home = 7; });
}());

// A number among operands is made in their type, where that is a floating one; integers ask whether it is
// whole.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {2}), k = test::input<"k">(g, {2}, tl::element::i32);
  const tl::value sum = x + 2.5;
  return g.nodes.size() == 4 && sum.operand(1).type() == tl::element::f32 &&
         (k + 2.0).operand(1).get().number == 2 && !g.failed() && (k + 2.5).exists() && g.failed();
}());

// Many nodes: the table grows and still finds all.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {2});
  for (int round = 0; round < 2; ++round)
    for (int i = 1; i <= 500; ++i)  // a constant, a sum
      if ((x + static_cast<double>(i)).id != 2 * i || g.nodes.size() < 2 * i + 1) return false;
  return g.nodes.size() == 1001;
}());

// Constants are folded, and neutral ones dropped.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {2});
  return (x + 0.0).id == x.id && (1.0 * x).id == x.id && (x / 1.0).id == x.id && (x - 0.0).id == x.id &&
         (2.0 * tl::make_constant(g, 3)).get().number == 6 && cast(x, tl::element::f32).id == x.id;
}());

// Views of views are joined, and those that change nothing dropped.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {2, 3, 4});
  constexpr int there[] = {1, 2, 0}, back[] = {2, 0, 1};
  return permute(permute(x, there), back).id == x.id &&
         reshape(reshape(x, {1, {24}}), shape_of(x)).id == x.id && slice(x, 1, 0, 1, 3).id == x.id &&
         expand(x, shape_of(x)).id == x.id;
}());

// The transpose of a product is the product of the transposes.
static_assert([] {
  tl::graph g;
  const tl::value a = test::input<"a">(g, {2, 3}), b = test::input<"b">(g, {3, 4});
  const tl::value t = transpose_last(matmul(a, b));
  return t.is(tl::family::product) && t.get().shape[0] == 4 && t.operand(0).is(tl::view_kind::permute);
}());

// It is made once of a product that is used several times, though there are 2^60 ways to the first.
constexpr tl::value power(tl::graph& g) {
  tl::value p = test::input<"a">(g, {3, 3});
  for (int i = 0; i < 60; ++i) p = matmul(p, p);
  return p;
}
static_assert([] {
  tl::graph g;
  const tl::value p = power(g);
  const int nodes = g.nodes.size(), transposed = transpose_last(p).id;
  return g.nodes.size() == nodes + 61 && transpose_last(p).id == transposed && g.nodes.size() == nodes + 61;
}());

// In a loop it is made there, and again where the first went in front of the loop.
static_assert([] {
  tl::graph g;
  const tl::value p = power(g);
  const int outside = transpose_last(p).id, first = g.nodes.size();
  g.open_region({2});
  const tl::value inside = transpose_last(p);
  const bool is_inside = inside.id != outside && inside.get().region == g.region;
  const tl::detail::loop_invariants body(g, first);
  const tl::value again = transpose_last(p);
  return is_inside && body.number(inside.id) == outside && again.is(tl::family::product) &&
         again.get().region == g.region;
}());

// In another loop an operation that is composed of others stays one, of residuals; there is one of each,
// though there are 2^60 ways to the first.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {2, 3});
  g.open_region({2});
  tl::value y{&g, g.in_iteration(x.id)};
  for (int i = 0; i < 60; ++i) y = hypot(y, y);
  g.open_region({2, true});
  const int nodes = g.nodes.size();
  const tl::value back{&g, g.residual(y.id)};
  const bool one_of_each = g.nodes.size() == nodes + 3 * 60 + 1;  // a stack, what is read of it, a hypot; x
  g.open_region({2, true});
  const tl::value elsewhere{&g, g.residual(y.id)};
  return one_of_each && back.is(tl::family::alias) && back.get().region == 2 && elsewhere.get().region == 3;
}());

// Constants are one node where their bits are the same: 1 / 0 and 1 / -0 differ.
static_assert([] {
  tl::graph g;
  const auto constant = [&](double number) { return tl::make_constant(g, number, tl::element::f64).id; };
  const int zero = constant(0.0), negative = constant(-0.0);
  return zero != negative && constant(0.0) == zero && constant(-0.0) == negative;
}());

// Only the first error is kept, and building goes on.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {2}), y = test::input<"y">(g, {3});
  const tl::value z = (x + y) * y;
  return z.exists() && g.failed() && g.error.view().starts_with("+ got operands of the shapes [2] and [3]");
}());

// Pruning keeps what outputs and effects need, and resolves aliases.
static_assert([] {
  tl::graph g, pruned;
  const tl::value x = test::input<"x">(g, {2}), unused = test::input<"unused">(g, {2});
  const tl::value w = test::parameter<"w">(g, {2});
  const tl::value y = exp(stop_gradient(sin(x)));
  cos(unused);
  g.outputs.push({y.id, nullptr});
  g.effects.push({w.id, (w + y).id});
  g.index_bounds.push({x.id, 5});
  g.index_bounds.push({unused.id, 5});
  tl::prune(g, pruned);
  return test::count(pruned, "stop_gradient") == 0 && test::count(pruned, "cos") == 0 &&
         test::count(pruned, "input") == 1 && test::count(pruned, "sin") == 1 && pruned.nodes.size() == 5 &&
         pruned.index_bounds.size() == 1 && pruned.nodes[pruned.outputs[0].node].op->name == "exp" &&
         pruned.nodes[pruned.effects[0].target].op->kind == tl::family::parameter;
}());

struct graph_builder {
  static constexpr void build(tl::graph& g) {
    const tl::value x = test::input<"x">(g, {2, g.extents.number(tl::dyn<"n">)});
    g.outputs.push({(x * 2.0).id, nullptr});
  }
};
static_assert(tl::sizes_of<graph_builder>.nodes == 3 && tl::sizes_of<graph_builder>.extents == 1 &&
              tl::sizes_of<graph_builder>.error.empty());
static_assert(tl::constant_graph_of<graph_builder>.nodes[0].label == &tl::interned<"x">);
static_assert([] {
  tl::graph g;
  tl::load_graph(g, tl::constant_graph_of<graph_builder>);
  return g.nodes.size() == 3 && g.outputs[0].node == 2 &&
         g.nodes[2] == tl::constant_graph_of<graph_builder>.nodes[2] && (tl::value{&g, 0} * 2.0).id == 2;
}());

}  // namespace

TEST_CASE("the graph is a constant") { SUCCEED(); }

TEST_CASE("a name is for one thing") {
  tl::graph g;
  test::input<"x">(g, {2});
  test::input<"x">(g, {2}, tl::element::f64);
  CHECK(std::string(g.error.view()) ==
        "the name \"x\" is used twice, for input float[2] and for input double[2]");
}

TEST_CASE("shapes broadcast as NumPy's") {
  tl::shape_list result;
  CHECK(tl::broadcast({2, {4, 1}}, {1, {3}}, result));
  CHECK(result == tl::shape_list{2, {4, 3}});
  CHECK(tl::broadcast({0, {}}, {2, {0, 3}}, result));
  CHECK(result == tl::shape_list{2, {0, 3}});
  CHECK_FALSE(tl::broadcast({2, {4, 2}}, {1, {3}}, result));
  CHECK(tl::normal_axis(-1, 3) == 2);
  CHECK(tl::normal_axis(3, 3) == -1);
  CHECK(tl::normal_axis(-4, 3) == -1);
}
