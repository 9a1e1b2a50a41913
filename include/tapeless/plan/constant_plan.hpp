// SPDX-License-Identifier: BSL-1.0
// A plan that is finished: its tables in arrays, so that it can be a constant.
#pragma once

#include <array>

#include <tapeless/graph/core/constant_graph.hpp>
#include <tapeless/plan/eager_schedule.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/plan/make_schedule.hpp>
#include <tapeless/plan/order_products.hpp>

namespace tapeless {

namespace detail {

/// A plan's tables while they grow, and the graph that it plans.
struct plan_tables {
  graph g;
  schedule s;
  list<planned_buffer> buffers;
  list<placement> place;
  list<int> inputs, states;

  template <class ConstantGraph>
  constexpr plan_tables(const ConstantGraph& f, int largest_group, bool eager) {
    load_graph(g, f);
    list<int> target, hazards;
    order_commands(largest_group, eager, target);
    find_hazards(g, s, target, hazards);
    if (hazards.size() > 0) {
      for (int e : hazards) g.effects[e].node = insert_copy(g, g.effects[e].node, 0);
      order_commands(largest_group, eager, target);
    }
    find_lifetimes(g, s, target, place, buffers, inputs, states);
  }

 private:
  constexpr void order_commands(int largest_group, bool eager, list<int>& target) {
    s.clear();
    list<int> group;
    fuse(g, largest_group, group);
    make_schedule(g, group, s);
    target.assign(g.nodes.size(), -1);
    for (const graph_effect& e : g.effects) target[e.node] = e.target;
    if (eager) {
      schedule_updates_eagerly(g, s, target);
    } else {
      order_products(s);
      defer_updates(g, s, target);
    }
  }
};

struct plan_sizes {
  int extents, loads, instructions, stores, fused_kernels, products, convolutions, poolings, walks, loops,
      commands, buffers, nodes, inputs, states;
  text error;
};

}  // namespace detail

template <int Extents, int Loads, int Instructions, int Stores, int FusedKernels, int Products,
          int Convolutions, int Poolings, int Walks, int Loops, int Commands, int Buffers, int Nodes,
          int Inputs, int States>
struct constant_plan {
  std::array<derived_extent, Extents> extents{};
  std::array<planned_load, Loads> loads{};
  std::array<planned_instruction, Instructions> instructions{};
  std::array<planned_store, Stores> stores{};
  std::array<planned_fused_kernel, FusedKernels> fused_kernels{};
  std::array<planned_product, Products> products{};
  std::array<planned_convolution, Convolutions> convolutions{};
  std::array<planned_pooling, Poolings> poolings{};
  std::array<planned_walk, Walks> walks{};
  std::array<planned_loop, Loops> loops{};
  std::array<planned_command, Commands> commands{};
  std::array<planned_buffer, Buffers> buffers{};
  std::array<placement, Nodes> place{};  // by node
  std::array<int, Inputs> inputs{};      // their nodes
  std::array<int, States> states{};
};

namespace detail {

constexpr plan_sizes sizes_of(const plan_tables& t) {
  return {t.g.extents.entries().size(),
          t.s.loads.size(),
          t.s.instructions.size(),
          t.s.stores.size(),
          t.s.fused_kernels.size(),
          t.s.products.size(),
          t.s.convolutions.size(),
          t.s.poolings.size(),
          t.s.walks.size(),
          t.s.loops.size(),
          t.s.commands.size(),
          t.buffers.size(),
          t.place.size(),
          t.inputs.size(),
          t.states.size(),
          t.g.error};
}

template <class Plan>
constexpr bool has_room(const Plan& plan, const plan_sizes& n) {
  const auto fits = [](const auto& table, int count) { return static_cast<int>(table.size()) >= count; };
  return fits(plan.extents, n.extents) && fits(plan.loads, n.loads) &&
         fits(plan.instructions, n.instructions) && fits(plan.stores, n.stores) &&
         fits(plan.fused_kernels, n.fused_kernels) && fits(plan.products, n.products) &&
         fits(plan.convolutions, n.convolutions) && fits(plan.poolings, n.poolings) &&
         fits(plan.walks, n.walks) && fits(plan.loops, n.loops) && fits(plan.commands, n.commands) &&
         fits(plan.buffers, n.buffers) && fits(plan.place, n.nodes) && fits(plan.inputs, n.inputs) &&
         fits(plan.states, n.states);
}

template <class Plan>
constexpr void copy_tables(const plan_tables& t, Plan& to) {
  copy_items(t.g.extents.entries(), to.extents);
  copy_items(t.s.loads, to.loads);
  copy_items(t.s.instructions, to.instructions);
  copy_items(t.s.stores, to.stores);
  copy_items(t.s.fused_kernels, to.fused_kernels);
  copy_items(t.s.products, to.products);
  copy_items(t.s.convolutions, to.convolutions);
  copy_items(t.s.poolings, to.poolings);
  copy_items(t.s.walks, to.walks);
  copy_items(t.s.loops, to.loops);
  copy_items(t.s.commands, to.commands);
  copy_items(t.buffers, to.buffers);
  copy_items(t.place, to.place);
  copy_items(t.inputs, to.inputs);
  copy_items(t.states, to.states);
}
template <class From, class To>
constexpr void copy_first(const From& from, To& to) {
  copy_first(from, static_cast<int>(to.size()), to);
}
template <class Spacious, class Plan>
constexpr void trim(const Spacious& from, Plan& to) {
  copy_first(from.extents, to.extents);
  copy_first(from.loads, to.loads);
  copy_first(from.instructions, to.instructions);
  copy_first(from.stores, to.stores);
  copy_first(from.fused_kernels, to.fused_kernels);
  copy_first(from.products, to.products);
  copy_first(from.convolutions, to.convolutions);
  copy_first(from.poolings, to.poolings);
  copy_first(from.walks, to.walks);
  copy_first(from.loops, to.loops);
  copy_first(from.commands, to.commands);
  copy_first(from.buffers, to.buffers);
  copy_first(from.place, to.place);
  copy_first(from.inputs, to.inputs);
  copy_first(from.states, to.states);
}

/// A plan with room for what a graph of so many nodes mostly takes, as constant_graph.hpp has it for graphs:
/// the plan is made once then, not a second time for its sizes.
template <int N>
struct spacious_plan {
  static constexpr int few = 16, half = N / 2 + few, all = N + few;
  plan_sizes sizes;
  bool is_full = false;
  constant_plan<4 * few, 2 * all, all, all, half, half, few, few, few, few, all, all, all, few, half> tables;
};

}  // namespace detail

}  // namespace tapeless
