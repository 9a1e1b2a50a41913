// SPDX-License-Identifier: BSL-1.0
// The tables of a plan: the one list of them.
#pragma once

#include <tapeless/graph/tables.hpp>
#include <tapeless/plan/commands.hpp>

namespace tapeless {

/// The tables of a plan; Storage says how they are kept. A new one is a line here, and its name below.
template <class Storage>
struct plan_tables {
  template <class Item, int Number>
  using table = typename Storage::template table<Item, Number>;

  table<derived_extent, 0> extents{};
  table<planned_load, 1> loads{};
  table<planned_instruction, 2> instructions{};
  table<planned_store, 3> stores{};
  table<planned_fused_kernel, 4> fused_kernels{};
  table<planned_product, 5> products{};
  table<planned_convolution, 6> convolutions{};
  table<planned_pooling, 7> poolings{};
  table<planned_walk, 8> walks{};
  table<planned_loop, 9> loops{};
  table<planned_command, 10> commands{};
  table<planned_buffer, 11> buffers{};
  table<placement, 12> place{};  // by node
  table<int, 13> inputs{};       // their nodes
  table<int, 14> states{};
};

/// Calls f with each table of a plan; or with the first tables of several plans, their second ones, and so
/// on.
template <class F, class... Plans>
constexpr void for_each_plan_table(const F& f, Plans&&... p) {
  f(p.extents...);
  f(p.loads...);
  f(p.instructions...);
  f(p.stores...);
  f(p.fused_kernels...);
  f(p.products...);
  f(p.convolutions...);
  f(p.poolings...);
  f(p.walks...);
  f(p.loops...);
  f(p.commands...);
  f(p.buffers...);
  f(p.place...);
  f(p.inputs...);
  f(p.states...);
}

namespace detail {

constexpr int count_plan_tables() {
  int count = 0;
  for_each_plan_table([&](char) { ++count; }, plan_tables<in_bytes>{});
  return count;
}

}  // namespace detail

inline constexpr int plan_table_count = detail::count_plan_tables();
static_assert(sizeof(plan_tables<detail::in_bytes>) == plan_table_count, "a table is not visited");

}  // namespace tapeless
