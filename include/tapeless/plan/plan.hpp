// SPDX-License-Identifier: BSL-1.0
// A program's plan: what is computed in which order and where it is kept, as constant tables.
#pragma once

#include <array>

#include <tapeless/graph/frozen.hpp>
#include <tapeless/plan/advance.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/plan/make_schedule.hpp>

namespace tapeless {

namespace detail {

/// A plan's tables while they grow, and the graph that it plans.
struct plan_tables {
  graph g;
  schedule s;
  list<planned_buffer> buffers;
  list<placement> place;
  list<int> inputs, states;

  template <class Frozen>
  constexpr plan_tables(const Frozen& f, int largest_group, bool eager) {
    thaw(g, f);
    list<int> target, hazards;
    order_steps(largest_group, eager, target);
    find_hazards(g, s, target, hazards);
    if (hazards.size() > 0) {
      for (int e : hazards) g.effects[e].node = insert_copy(g, g.effects[e].node, 0);
      order_steps(largest_group, eager, target);
    }
    find_lifetimes(g, s, target, place, buffers, inputs, states);
  }

 private:
  constexpr void order_steps(int largest_group, bool eager, list<int>& target) {
    s.clear();
    list<int> group;
    fuse(g, largest_group, group);
    make_schedule(g, group, s);
    target.assign(g.nodes.size(), -1);
    for (const graph_effect& e : g.effects) target[e.node] = e.target;
    if (eager) {
      advance_updates(g, s, target);
    } else {
      defer_updates(g, s, target);
    }
  }
};

struct plan_sizes {
  int extents, loads, instructions, stores, passes, products, convolutions, walks, loops, steps, buffers,
      nodes, inputs, states;
  text error;
};

}  // namespace detail

template <int Extents, int Loads, int Instructions, int Stores, int Passes, int Products, int Convolutions,
          int Walks, int Loops, int Steps, int Buffers, int Nodes, int Inputs, int States>
struct frozen_plan {
  std::array<derived_extent, Extents> extents{};
  std::array<planned_load, Loads> loads{};
  std::array<planned_instruction, Instructions> instructions{};
  std::array<planned_store, Stores> stores{};
  std::array<planned_pass, Passes> passes{};
  std::array<planned_product, Products> products{};
  std::array<planned_convolution, Convolutions> convolutions{};
  std::array<planned_walk, Walks> walks{};
  std::array<planned_loop, Loops> loops{};
  std::array<planned_step, Steps> steps{};
  std::array<planned_buffer, Buffers> buffers{};
  std::array<placement, Nodes> place{};  // by node
  std::array<int, Inputs> inputs{};      // their nodes
  std::array<int, States> states{};
};

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
constexpr plan_sizes sizes_of_plan() {
  const plan_tables t(frozen<Stage>, largest_group_of<Stage>(), is_eager<Stage>());
  return {t.g.extents.entries().size(),
          t.s.loads.size(),
          t.s.instructions.size(),
          t.s.stores.size(),
          t.s.passes.size(),
          t.s.products.size(),
          t.s.convolutions.size(),
          t.s.walks.size(),
          t.s.loops.size(),
          t.s.steps.size(),
          t.buffers.size(),
          t.place.size(),
          t.inputs.size(),
          t.states.size(),
          sizes_of<Stage>.error.empty() ? t.g.error : sizes_of<Stage>.error};
}

template <class Stage>
inline constexpr plan_sizes plan_sizes_of = sizes_of_plan<Stage>();

template <class Stage>
constexpr auto freeze_plan() {
  constexpr const plan_sizes& n = plan_sizes_of<Stage>;
  frozen_plan<n.extents, n.loads, n.instructions, n.stores, n.passes, n.products, n.convolutions, n.walks,
              n.loops, n.steps, n.buffers, n.nodes, n.inputs, n.states>
      f;
  const plan_tables t(frozen<Stage>, largest_group_of<Stage>(), is_eager<Stage>());
  copy_items(t.g.extents.entries(), f.extents);
  copy_items(t.s.loads, f.loads);
  copy_items(t.s.instructions, f.instructions);
  copy_items(t.s.stores, f.stores);
  copy_items(t.s.passes, f.passes);
  copy_items(t.s.products, f.products);
  copy_items(t.s.convolutions, f.convolutions);
  copy_items(t.s.walks, f.walks);
  copy_items(t.s.loops, f.loops);
  copy_items(t.s.steps, f.steps);
  copy_items(t.buffers, f.buffers);
  copy_items(t.place, f.place);
  copy_items(t.inputs, f.inputs);
  copy_items(t.states, f.states);
  return f;
}

}  // namespace detail

/// The plan of the graph that a stage builds.
template <class Stage>
inline constexpr auto plan_of = detail::freeze_plan<Stage>();

}  // namespace tapeless
