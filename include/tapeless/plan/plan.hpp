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

/// A graph builder may ask for the updates of the last parameters first.
template <class GraphBuilder>
constexpr bool is_last_first() {
  if constexpr (requires { GraphBuilder::last_first; }) {
    return GraphBuilder::last_first;
  } else {
    return false;
  }
}

template <class GraphBuilder>
constexpr plan_maker planned() {
  return plan_maker(constant_graph_of<GraphBuilder>, largest_group_of<GraphBuilder>(),
                    is_eager<GraphBuilder>(), is_last_first<GraphBuilder>());
}

struct take_size {
  bool& is_full;
  template <class Table, class Room>
  constexpr void operator()(const Table& table, int& size, const Room& room) const {
    size = table.size();
    is_full |= size > static_cast<int>(room.size());
  }
};

// The plan is an argument: a variable that it initializes is evaluated once more by clang, which wants to
// know whether its destruction is constant.
template <table_sizes<plan_table_count> Room>
constexpr void take_plan(plan_maker made, spacious_plan<Room>& result) {
  for_each_plan_table(take_size{result.is_full}, made.s, result.sizes, result.tables);
  result.sizes.error = made.g.error;
  if (!result.is_full) copy_plan(made.s, result.sizes, result.tables);
}

template <class GraphBuilder>
constexpr auto make_plan() {
  constexpr auto& nodes = constant_graph_of<GraphBuilder>.nodes;
  spacious_plan<expected_sizes(static_cast<int>(nodes.size()), nodes_by_family::in(nodes))> result;
  take_plan(planned<GraphBuilder>(), result);
  if (!sizes_of<GraphBuilder>.error.empty()) result.sizes.error = sizes_of<GraphBuilder>.error;
  return result;
}
template <class GraphBuilder>
inline constexpr auto made_plan = make_plan<GraphBuilder>();

template <class GraphBuilder>
inline constexpr plan_sizes plan_sizes_of = made_plan<GraphBuilder>.sizes;

template <class GraphBuilder>
constexpr auto make_constant_plan() {
  constexpr const plan_sizes& sizes = plan_sizes_of<GraphBuilder>;
  constant_plan<numbered(sizes)> f;
  if constexpr (made_plan<GraphBuilder>.is_full) {
    copy_plan(planned<GraphBuilder>().s, sizes, f);
  } else {
    copy_plan(made_plan<GraphBuilder>.tables, sizes, f);
  }
  return f;
}

}  // namespace detail

/// The plan of a builder's graph.
template <class GraphBuilder>
inline constexpr auto plan_of = detail::make_constant_plan<GraphBuilder>();

}  // namespace tapeless
