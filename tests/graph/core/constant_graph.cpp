// SPDX-License-Identifier: BSL-1.0
// A graph that is a constant, and one that goes on from it.
#include <tapeless/graph/core/constant_graph.hpp>
#include <tapeless/graph/structural/renumber.hpp>

#include "catch.hpp"
#include "value_graph.hpp"

namespace {

/// Something in every table, and of everything that is counted.
struct full {
  static constexpr void build(tl::graph& g) {
    const tl::value x = test::input<"x">(g, {2, g.extents.number(tl::dyn<"n">)});
    const tl::value w = test::parameter<"w">(g, {2, 1});
    const tl::value noise = random_like(x);
    g.outputs.push({(x * w).id, &tl::interned<"y">});
    g.effects.push({w.id, (w + 1.0).id, noise.id});
    g.index_bounds.push({x.id, 5});
    g.open_region({4});
    const int carry = g.carry(x.id);
    g.set_next(carry, (tl::value{&g, carry} * 2.0).id);
    g.region = 0;
    g.states = 3;
    g.rematerializations = 2;
  }
};

template <class Graph>
constexpr bool equals_full(const Graph& g) {
  tl::graph expected;
  full::build(expected);
  return static_cast<int>(g.nodes.size()) == expected.nodes.size() && g.nodes[3] == expected.nodes[3] &&
         g.initializers[0] == expected.initializers[0] && g.outputs[0].node == expected.outputs[0].node &&
         g.outputs[0].label == expected.outputs[0].label &&
         g.effects[0].target == expected.effects[0].target &&
         g.effects[0].gradient == expected.effects[0].gradient && g.index_bounds[0].bound == 5 &&
         g.regions[0].count == 4 && g.carries[0].next == expected.carries[0].next && g.states == 3 &&
         g.rematerializations == 2 && g.random_streams == 1;
}

static_assert(tl::sizes_of<full>.carries == 1 && tl::sizes_of<full>.effects == 1);
static_assert(tl::constant_graph_of<full>.extents.size() ==
              static_cast<std::size_t>(tl::sizes_of<full>.extents));
static_assert(equals_full(tl::constant_graph_of<full>));

static_assert([] {
  tl::graph g;
  tl::load_graph(g, tl::constant_graph_of<full>);
  return equals_full(g) && g.extents.entries().size() == tl::sizes_of<full>.extents;
}());

// A stage may say for how many nodes there should be room; too few are no harm.
struct roomy : full {
  static constexpr int expected_nodes() { return 100; }
};
struct cramped : full {
  static constexpr int expected_nodes() { return 2; }
};
static_assert(equals_full(tl::constant_graph_of<roomy>) && equals_full(tl::constant_graph_of<cramped>));
static_assert(!tl::detail::built<roomy>.is_full && tl::detail::built<cramped>.is_full);

// Random numbers that are asked for later are others than those that were there.
static_assert([] {
  tl::graph g;
  tl::load_graph(g, tl::constant_graph_of<full>);
  const int nodes = g.nodes.size();
  return random_like(tl::value{&g, g.effects[0].gradient}).id >= nodes;
}());

// All tables of a copy, with every node one number higher.
static_assert([] {
  tl::graph g, copy;
  full::build(g);
  tl::make_constant(copy, 7);
  tl::copy_unnumbered(g, copy);
  for (const tl::node& n : g.nodes) {
    tl::node shifted = n;
    for (int k = 0; k < n.operand_count; ++k) ++shifted.operands[k];
    copy.insert(shifted);
  }
  tl::copy_renumbered(g, copy, [](int id) { return id + 1; });
  return copy.extents.entries().size() == g.extents.entries().size() && copy.initializers.size() == 1 &&
         copy.regions.size() == 1 && copy.random_streams == 1 && copy.states == 3 &&
         copy.outputs[0].node == g.outputs[0].node + 1 && copy.outputs[0].label == g.outputs[0].label &&
         copy.effects[0].target == g.effects[0].target + 1 && copy.effects[0].node == g.effects[0].node + 1 &&
         copy.effects[0].gradient == g.effects[0].gradient + 1 &&
         copy.index_bounds[0].node == g.index_bounds[0].node + 1 &&
         copy.carries[0].carry == g.carries[0].carry + 1 && copy.carries[0].next == g.carries[0].next + 1;
}());

// Without the nodes: a bound has nothing to be of, a carry keeps its place in the list.
static_assert([] {
  tl::graph g, copy;
  full::build(g);
  tl::copy_renumbered(g, copy, [](int) { return -1; });
  return copy.index_bounds.empty() && copy.carries.size() == 1 && copy.carries[0].carry == -1 &&
         copy.carries[0].next == -1 && copy.outputs[0].node == -1;
}());

}  // namespace

TEST_CASE("a graph is a constant with all its tables") { SUCCEED(); }
