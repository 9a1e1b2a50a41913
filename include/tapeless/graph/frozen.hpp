// SPDX-License-Identifier: BSL-1.0
// A graph that is finished: the same tables in arrays of just their size, so that it can be a constant.
#pragma once

#include <array>

#include <tapeless/graph/graph.hpp>

namespace tapeless {

struct graph_sizes {
  int nodes = 0, extents = 0, initializers = 0, outputs = 0, effects = 0, index_bounds = 0, regions = 0,
      carries = 0;
  text error;
  bool asked_mode = false;  // whether the graph depends on training or evaluating
};

template <int Nodes, int Extents, int Initializers, int Outputs, int Effects, int IndexBounds, int Regions,
          int Carries>
struct frozen_graph {
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

template <class Stage>
constexpr graph_sizes sizes_of_stage() {
  graph g;
  Stage::build(g);
  return {.nodes = g.nodes.size(),
          .extents = g.extents.entries().size(),
          .initializers = g.initializers.size(),
          .outputs = g.outputs.size(),
          .effects = g.effects.size(),
          .index_bounds = g.index_bounds.size(),
          .regions = g.regions.size(),
          .carries = g.carries.size(),
          .error = g.error,
          .asked_mode = g.asked_mode};
}

}  // namespace detail

/// How large the graph is that a stage builds, and what went wrong.
template <class Stage>
inline constexpr graph_sizes sizes_of = detail::sizes_of_stage<Stage>();

namespace detail {

template <class Stage>
constexpr auto freeze_stage() {
  constexpr const graph_sizes& s = sizes_of<Stage>;
  frozen_graph<s.nodes, s.extents, s.initializers, s.outputs, s.effects, s.index_bounds, s.regions, s.carries>
      f;
  graph g;
  Stage::build(g);
  copy_items(g.nodes, f.nodes);
  copy_items(g.extents.entries(), f.extents);
  copy_items(g.initializers, f.initializers);
  copy_items(g.outputs, f.outputs);
  copy_items(g.effects, f.effects);
  copy_items(g.index_bounds, f.index_bounds);
  copy_items(g.regions, f.regions);
  copy_items(g.carries, f.carries);
  return f;
}

}  // namespace detail

/// The graph that a stage builds. A stage is a type with `static constexpr void build(graph&)`: each is a
/// constant evaluation of its own, since the compilers limit what one may cost.
template <class Stage>
inline constexpr auto frozen = detail::freeze_stage<Stage>();

/// Continues from a finished graph. Post-condition: all numbers stay as they were.
template <class Frozen>
constexpr void thaw(graph& g, const Frozen& f) {
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
