// SPDX-License-Identifier: BSL-1.0
// A program's plan: what is computed in which order and where it is kept, as constant tables.
#pragma once

#include <tapeless/plan/frozen_plan.hpp>

namespace tapeless {

namespace detail {

/// A stage may say how many operations one pass may have: 1 turns fusion off.
template <class Stage>
constexpr int largest_group_of() {
  if constexpr (requires { Stage::largest_group; }) {
    return Stage::largest_group;
  } else {
    return max_group_size;
  }
}

/// A stage may ask for eager updates.
template <class Stage>
constexpr bool is_eager() {
  if constexpr (requires { Stage::eager; }) {
    return Stage::eager;
  } else {
    return false;
  }
}

template <class Stage>
constexpr plan_tables tables_of() {
  return plan_tables(frozen<Stage>, largest_group_of<Stage>(), is_eager<Stage>());
}

template <class Stage>
constexpr auto make_plan() {
  spacious_plan<static_cast<int>(frozen<Stage>.nodes.size())> result;
  plan_tables t = tables_of<Stage>();  // not const, or clang evaluates it twice
  result.sizes = sizes_of(t);
  if (!tapeless::sizes_of<Stage>.error.empty()) result.sizes.error = tapeless::sizes_of<Stage>.error;
  result.is_full = !has_room(result.tables, result.sizes);
  if (!result.is_full) copy_tables(t, result.tables);
  return result;
}
template <class Stage>
inline constexpr auto made_plan = make_plan<Stage>();

template <class Stage>
inline constexpr plan_sizes plan_sizes_of = made_plan<Stage>.sizes;

template <class Stage>
constexpr auto freeze_plan() {
  constexpr const plan_sizes& n = plan_sizes_of<Stage>;
  frozen_plan<n.extents, n.loads, n.instructions, n.stores, n.passes, n.products, n.convolutions, n.poolings,
              n.walks, n.loops, n.steps, n.buffers, n.nodes, n.inputs, n.states>
      f;
  if constexpr (made_plan<Stage>.is_full) {
    copy_tables(tables_of<Stage>(), f);
  } else {
    trim(made_plan<Stage>.tables, f);
  }
  return f;
}

}  // namespace detail

/// The plan of the graph that a stage builds.
template <class Stage>
inline constexpr auto plan_of = detail::freeze_plan<Stage>();

}  // namespace tapeless
