// SPDX-License-Identifier: BSL-1.0
// A finished graph: the same tables in arrays of just their size, so that it can be a constant.
#pragma once

#include <tapeless/graph/core/graph.hpp>

namespace tapeless {

struct graph_sizes : graph_tables<in_sizes> {
  text error;
  bool asked_mode = false;     // whether the graph depends on training or evaluating
  bool has_expansion = false;  // whether one of its operations does
};

template <table_sizes<graph_table_count> Sizes>
struct constant_graph : graph_tables<in_arrays<Sizes>>, graph_counters {};

namespace detail {

// A table's contiguous items.
template <class Items>
constexpr const Items& items_of(const Items& table) {
  return table;
}
constexpr const list<derived_extent>& items_of(const extent_table& table) { return table.entries(); }

template <class From, class To>
constexpr void copy_tables(const From& from, const graph_sizes& sizes, To& to) {
  for_each_graph_table(
      [](const auto& table, int size, auto& copy) { copy_first(items_of(table).data(), size, copy.data()); },
      from, sizes, to);
  static_cast<graph_counters&>(to) = from;
}

constexpr table_sizes<graph_table_count> numbered(const graph_tables<in_sizes>& sizes) {
  table_sizes<graph_table_count> result;
  int number = 0;
  for_each_graph_table([&](int size) { result.of[number++] = size; }, sizes);
  return result;
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
  static constexpr table_sizes<graph_table_count> room() {
    constexpr int few = Nodes == 0 ? 0 : 16;
    graph_tables<in_sizes> sizes;
    for_each_graph_table([](int& size) { size = few; }, sizes);
    sizes.nodes = Nodes;
    sizes.effects = Nodes / 4 + few;
    return numbered(sizes);
  }

  graph_sizes sizes;
  constant_graph<room()> tables;
  bool is_full = false;
};

template <class GraphBuilder>
constexpr auto build_tables() {
  spacious_graph<expected_nodes<GraphBuilder>()> result;
  graph g;
  GraphBuilder::build(g);
  for_each_graph_table(
      [&](const auto& table, int& size, const auto& room) {
        size = items_of(table).size();
        result.is_full |= size > static_cast<int>(room.size());
      },
      g, result.sizes, result.tables);
  result.sizes.error = g.error;
  result.sizes.asked_mode = g.asked_mode;
  for (const node& n : g.nodes) result.sizes.has_expansion |= n.op->expansion != nullptr;
  if (!result.is_full) copy_tables(g, result.sizes, result.tables);
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
  constant_graph<numbered(s)> f;
  if constexpr (!built<GraphBuilder>.is_full) {
    copy_tables(built<GraphBuilder>.tables, s, f);
  } else {
    graph g;
    GraphBuilder::build(g);
    copy_tables(g, s, f);
  }
  return f;
}

template <class Item, class Items>
constexpr void load_items(list<Item>& table, const Items& items) {
  table.reserve(static_cast<int>(items.size()));
  for (const Item& item : items) table.push(item);
}
template <class Items>
constexpr void load_items(extent_table& table, const Items& items) {
  for (const derived_extent& item : items) table.intern(item);
}

}  // namespace detail

/// The graph of a graph builder: of a type with `static constexpr void build(graph&)`. Each is a constant
/// evaluation of its own, since the compilers limit what one may cost. With expected_nodes(), for how many
/// there should be room, it is built once; without, or where that was too few, twice.
template <class GraphBuilder>
inline constexpr auto constant_graph_of = detail::make_constant_graph<GraphBuilder>();

/// Continues from a finished graph. Post-condition: all numbers stay as they were, and new states, streams of
/// random numbers and rematerializations get numbers of their own.
template <class ConstantGraph>
constexpr void load_graph(graph& g, const ConstantGraph& f) {
  for_each_graph_table([](auto& table, const auto& items) { detail::load_items(table, items); }, g, f);
  static_cast<graph_counters&>(g) = f;
}

}  // namespace tapeless
