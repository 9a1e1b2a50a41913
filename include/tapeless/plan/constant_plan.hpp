// SPDX-License-Identifier: BSL-1.0
// A plan that is finished: its tables in arrays, so that it can be a constant.
#pragma once

#include <array>

#include <tapeless/graph/core/constant_graph.hpp>
#include <tapeless/plan/eager_schedule.hpp>
#include <tapeless/plan/fuse_sums.hpp>
#include <tapeless/plan/last_first_schedule.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/plan/make_schedule.hpp>
#include <tapeless/plan/order_products.hpp>
#include <tapeless/plan/repeat_differences.hpp>
#include <tapeless/plan/written_first.hpp>

namespace tapeless {

namespace detail {

// Not constexpr: the compiler's error names it.
inline void an_old_value_is_overwritten_before_it_is_read() {}

/// A plan while it is being made, and the graph that it plans.
struct plan_maker {
  graph g;
  schedule s;

  template <class ConstantGraph>
  constexpr plan_maker(const ConstantGraph& f, int largest_group, bool eager, bool last_first = false) {
    load_graph(g, f);
    list<int> target, hazards;
    order_commands(largest_group, eager, last_first, target);
    find_hazards(g, s, target, hazards);
    if (hazards.size() > 0) {
      for (int e : hazards) copy_value(e);
      order_commands(largest_group, eager, last_first, target);
      find_hazards(g, s, target, hazards);
      if (hazards.size() > 0) detail::an_old_value_is_overwritten_before_it_is_read();
    }
    find_lifetimes(g, s, target);
#ifdef TAPELESS_CHECK_PLANS
    if (!detail::is_written_first(s, g.nodes.size())) detail::a_command_reads_what_is_not_written_yet();
#endif
    for (const derived_extent& e : g.extents.entries()) s.extents.push(e);
  }

 private:
  // Gives an effect a copy of its value, which no other effect has.
  constexpr void copy_value(int effect) {
    int& own = g.effects[effect].node;
    const auto is_shared = [&] {
      for (int e = 0; e < g.effects.size(); ++e)
        if (e != effect && g.effects[e].node == own) return true;
      return false;
    };
    do own = insert_copy(g, own, 0);
    while (is_shared());
  }

  constexpr void order_commands(int largest_group, bool eager, bool last_first, list<int>& target) {
    s.clear();
    list<int> group;
    const list<int> prologue = fuse(g, largest_group, group);
    fuse_sums(g, largest_group, group);
    fuse_loops(g, largest_group, prologue, group);
    hand_on_in_place(g, prologue, group);
    repeat_differences(g, largest_group, group);
    make_schedule(g, group, prologue, s);
    target.assign(g.nodes.size(), -1);
    for (const graph_effect& e : g.effects) target[e.node] = e.target;
    if (eager) {
      schedule_updates_eagerly(g, s, target);
    } else {
      order_products(s);
      defer_updates(g, s, target);
      if (last_first) update_last_first(g, s, target);
    }
  }
};

struct plan_sizes : plan_tables<in_sizes> {
  text error;
};

constexpr table_sizes<plan_table_count> numbered(const plan_tables<in_sizes>& sizes) {
  table_sizes<plan_table_count> result;
  int number = 0;
  for_each_plan_table([&](int size) { result.of[number++] = size; }, sizes);
  return result;
}

}  // namespace detail

template <table_sizes<plan_table_count> Sizes>
struct constant_plan : plan_tables<in_arrays<Sizes>> {};

namespace detail {

struct copy_table {
  template <class From, class To>
  constexpr void operator()(const From& table, int size, To& copy) const {
    copy_first(table.data(), size, copy.data());
  }
};
template <class From, class To>
constexpr void copy_plan(const From& from, const plan_sizes& sizes, To& to) {
  for_each_plan_table(copy_table{}, from, sizes, to);
}

struct set_size {
  int to;
  constexpr void operator()(int& size) const { size = to; }
};

/// How many nodes of each family a graph has.
struct nodes_by_family {
  int of[static_cast<int>(family::stacked) + 1] = {};

  template <class Nodes>
  static constexpr nodes_by_family in(const Nodes& nodes) {
    nodes_by_family result;
    for (const node& n : nodes) ++result.of[static_cast<int>(n.op->kind)];
    return result;
  }
  constexpr int operator[](family kind) const { return of[static_cast<int>(kind)]; }
};

/// What the plan of a graph of so many nodes mostly takes: each kernel of a family computes one node.
constexpr table_sizes<plan_table_count> expected_sizes(int nodes, const nodes_by_family& count) {
  constexpr int few = 16;
  const int half = nodes / 2 + few, all = nodes + few;
  plan_tables<in_sizes> sizes;
  for_each_plan_table(set_size{few}, sizes);
  sizes.extents = 4 * few;
  sizes.loads = 2 * all;
  sizes.fused_kernels = sizes.states = half;
  sizes.instructions = sizes.stores = sizes.commands = sizes.buffers = sizes.place = all;
  sizes.products = count[family::product] + few;
  sizes.inputs = count[family::input];
  for_each_family(kernel_families{}, [&]<class F>() { sizes.families.template of<F>() = count[F::kind]; });
  return numbered(sizes);
}

/// A plan with room, as constant_graph.hpp has it for graphs: the plan is made once then, not a second time
/// for its sizes.
template <table_sizes<plan_table_count> Room>
struct spacious_plan {
  plan_sizes sizes;
  bool is_full = false;
  constant_plan<Room> tables;
};

}  // namespace detail

}  // namespace tapeless
