// SPDX-License-Identifier: BSL-1.0
// A finished graph: the same tables in arrays of just their size, so that it can be a constant.
#pragma once

#include <array>

#include <tapeless/graph/core/graph.hpp>

namespace tapeless {

struct graph_sizes {
  int nodes = 0, extents = 0, initializers = 0, outputs = 0, effects = 0, index_bounds = 0, regions = 0,
      carries = 0;
  text error;
  bool asked_mode = false;     // whether the graph depends on training or evaluating
  bool has_expansion = false;  // whether one of its operations does
};

template <int Nodes, int Extents, int Initializers, int Outputs, int Effects, int IndexBounds, int Regions,
          int Carries>
struct constant_graph {
  std::array<node, Nodes> nodes{};
  std::array<derived_extent, Extents> extents{};
  std::array<initializer, Initializers> initializers{};
  std::array<graph_output, Outputs> outputs{};
  std::array<graph_effect, Effects> effects{};
  std::array<index_bound, IndexBounds> index_bounds{};
  std::array<loop_region, Regions> regions{};
  std::array<loop_carry, Carries> carries{};
};

namespace detail {

template <class List, class Array>
constexpr void copy_items(const List& from, Array& to) {
  for (int i = 0; i < from.size(); ++i) to[static_cast<unsigned>(i)] = from[i];
}

template <class From, class To>
constexpr void copy_first(const From& from, int count, To& to) {
  auto item = from.begin();
  for (int i = 0; i < count; ++i) to[static_cast<unsigned>(i)] = *item++;
}

template <class From, class To>
constexpr void copy_tables(const From& from, const graph_sizes& n, To& to) {
  copy_first(from.nodes, n.nodes, to.nodes);
  copy_first(from.initializers, n.initializers, to.initializers);
  copy_first(from.outputs, n.outputs, to.outputs);
  copy_first(from.effects, n.effects, to.effects);
  copy_first(from.index_bounds, n.index_bounds, to.index_bounds);
  copy_first(from.regions, n.regions, to.regions);
  copy_first(from.carries, n.carries, to.carries);
}

template <class GraphBuilder>
constexpr int expected_nodes() {
  if constexpr (requires { GraphBuilder::expected_nodes(); }) {
    return GraphBuilder::expected_nodes();
  } else {
    return 0;
  }
}

/// What a graph builder has built, where these arrays are large enough for it: elements that are not used
/// cost next to nothing, building the graph once more for just its size would.
template <int Nodes>
struct spacious_graph {
  static constexpr int few = Nodes == 0 ? 0 : 16, effect_count = Nodes / 4 + few;
  graph_sizes sizes;
  constant_graph<Nodes, few, few, few, effect_count, few, few, few> tables;

  constexpr bool is_full() const {
    return sizes.nodes > Nodes || sizes.extents > few || sizes.initializers > few || sizes.outputs > few ||
           sizes.effects > effect_count || sizes.index_bounds > few || sizes.regions > few ||
           sizes.carries > few;
  }
};

template <class GraphBuilder>
constexpr auto build_tables() {
  spacious_graph<expected_nodes<GraphBuilder>()> result;
  graph g;
  GraphBuilder::build(g);
  result.sizes = {.nodes = g.nodes.size(),
                  .extents = g.extents.entries().size(),
                  .initializers = g.initializers.size(),
                  .outputs = g.outputs.size(),
                  .effects = g.effects.size(),
                  .index_bounds = g.index_bounds.size(),
                  .regions = g.regions.size(),
                  .carries = g.carries.size(),
                  .error = g.error,
                  .asked_mode = g.asked_mode};
  for (const node& n : g.nodes) result.sizes.has_expansion |= n.op->expansion != nullptr;
  if (result.is_full()) return result;
  copy_tables(g, result.sizes, result.tables);
  copy_items(g.extents.entries(), result.tables.extents);
  return result;
}

template <class GraphBuilder>
inline constexpr auto built = build_tables<GraphBuilder>();

}  // namespace detail

/// How large a builder's graph is, and what went wrong.
template <class GraphBuilder>
inline constexpr graph_sizes sizes_of = detail::built<GraphBuilder>.sizes;

namespace detail {

template <class GraphBuilder>
constexpr auto make_constant_graph() {
  constexpr const graph_sizes& s = sizes_of<GraphBuilder>;
  constant_graph<s.nodes, s.extents, s.initializers, s.outputs, s.effects, s.index_bounds, s.regions,
                 s.carries>
      f;
  if constexpr (!built<GraphBuilder>.is_full()) {
    copy_tables(built<GraphBuilder>.tables, s, f);
    copy_first(built<GraphBuilder>.tables.extents, s.extents, f.extents);
  } else {
    graph g;
    GraphBuilder::build(g);
    copy_tables(g, s, f);
    copy_items(g.extents.entries(), f.extents);
  }
  return f;
}

}  // namespace detail

/// The graph of a graph builder: of a type with `static constexpr void build(graph&)`. Each is a constant
/// evaluation of its own, since the compilers limit what one may cost. With expected_nodes(), for how many
/// there should be room, it is built once; without, or where that was too few, twice.
template <class GraphBuilder>
inline constexpr auto constant_graph_of = detail::make_constant_graph<GraphBuilder>();

/// Continues from a finished graph. Post-condition: all numbers stay as they were.
template <class ConstantGraph>
constexpr void load_graph(graph& g, const ConstantGraph& f) {
  for (const derived_extent& e : f.extents) g.extents.intern(e);
  for (const initializer& i : f.initializers) g.initializers.push(i);
  for (const node& n : f.nodes) g.insert(n);
  for (const graph_output& o : f.outputs) g.outputs.push(o);
  for (const graph_effect& e : f.effects) g.effects.push(e);
  for (const index_bound& b : f.index_bounds) g.index_bounds.push(b);
  for (const loop_region& r : f.regions) g.regions.push(r);
  for (const loop_carry& c : f.carries) g.carries.push(c);
}

}  // namespace tapeless
