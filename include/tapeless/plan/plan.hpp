// SPDX-License-Identifier: BSL-1.0
// A program's plan: what is computed in which order and where it is kept, as constant tables.
#pragma once

#include <tapeless/plan/constant_plan.hpp>

namespace tapeless {

namespace detail {

/// A graph builder may say how many operations one fused kernel may have: 1 turns fusion off.
template <class GraphBuilder>
constexpr int largest_group_of() {
  if constexpr (requires { GraphBuilder::largest_group; }) {
    return GraphBuilder::largest_group;
  } else {
    return max_group_size;
  }
}

/// A graph builder may ask for eager updates.
template <class GraphBuilder>
constexpr bool is_eager() {
  if constexpr (requires { GraphBuilder::eager; }) {
    return GraphBuilder::eager;
  } else {
    return false;
  }
}

template <class GraphBuilder>
constexpr plan_tables tables_of() {
  return plan_tables(constant_graph_of<GraphBuilder>, largest_group_of<GraphBuilder>(),
                     is_eager<GraphBuilder>());
}

template <class GraphBuilder>
constexpr auto make_plan() {
  spacious_plan<static_cast<int>(constant_graph_of<GraphBuilder>.nodes.size())> result;
  plan_tables t = tables_of<GraphBuilder>();  // not const, or clang evaluates it twice
  result.sizes = sizes_of(t);
  if (!tapeless::sizes_of<GraphBuilder>.error.empty())
    result.sizes.error = tapeless::sizes_of<GraphBuilder>.error;
  result.is_full = !has_room(result.tables, result.sizes);
  if (!result.is_full) copy_tables(t, result.tables);
  return result;
}
template <class GraphBuilder>
inline constexpr auto made_plan = make_plan<GraphBuilder>();

template <class GraphBuilder>
inline constexpr plan_sizes plan_sizes_of = made_plan<GraphBuilder>.sizes;

template <class GraphBuilder>
constexpr auto make_constant_plan() {
  constexpr const plan_sizes& n = plan_sizes_of<GraphBuilder>;
  constant_plan<n.extents, n.loads, n.instructions, n.stores, n.fused_kernels, n.products, n.convolutions,
                n.poolings, n.walks, n.loops, n.commands, n.buffers, n.nodes, n.inputs, n.states>
      f;
  if constexpr (made_plan<GraphBuilder>.is_full) {
    copy_tables(tables_of<GraphBuilder>(), f);
  } else {
    trim(made_plan<GraphBuilder>.tables, f);
  }
  return f;
}

}  // namespace detail

/// The plan of a builder's graph.
template <class GraphBuilder>
inline constexpr auto plan_of = detail::make_constant_plan<GraphBuilder>();

}  // namespace tapeless
