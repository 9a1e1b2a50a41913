// SPDX-License-Identifier: BSL-1.0
// What of a plan is needed when the program runs. Its sizes are not in the type, so what works on plans is
// compiled once. Operations are not in it, so their derivatives' code stays in the compiler.
#pragma once

#include <type_traits>
#include <utility>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/constant_items.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/structural/rank_exchange.hpp>
#include <tapeless/plan/plan.hpp>

namespace tapeless {

/// A node, as far as inputs, outputs and run-time checks are concerned.
struct run_node {
  const name* label = nullptr;
  element type = element::f32;
  bool is_slice = false;
  bool is_window = false;  // a slice as far as checks are concerned: that of the windows' last elements
  rank_exchange exchange = rank_exchange::none;
  int rank = 0;
  int operand = -1;
  std::int64_t shape[max_rank] = {};
  slice_places slice = {};
};

struct run_store {
  element type = element::f32;
  access place;
};

/// An instruction is for the compiler alone.
struct no_instruction {};

/// What of a table's item is needed when the program runs.
template <class Item>
constexpr Item at_run_time(const Item& item) {
  return item;
}
constexpr run_store at_run_time(const planned_store& s) { return {s.type, s.place}; }
constexpr no_instruction at_run_time(const planned_instruction&) { return {}; }
template <class Item>
using run_item = decltype(at_run_time(std::declval<const Item&>()));

namespace detail {

constexpr run_node summary_of(const node& n) {
  run_node r{
      .label = n.label, .type = n.type, .exchange = exchange_of(n), .rank = n.rank, .operand = n.operands[0]};
  for (int d = 0; d < n.rank; ++d) r.shape[d] = n.shape[d];
  if (n.op->kind != family::view) return r;
  switch (n.op->as<view_kind>()) {
    case view_kind::slice:
      r.is_slice = true;
      r.slice = slice_of(n);
      break;
    case view_kind::windows: {
      const sliding_windows w = windows_of(n);
      r.is_slice = r.is_window = true;
      r.slice = {w.axis, (w.each.size - 1) * w.each.dilation, w.each.stride};
      break;
    }
    case view_kind::reshape:
    case view_kind::permute:
    case view_kind::expand:
    case view_kind::iteration:
    case view_kind::last:
      break;
  }
  return r;
}
template <table_sizes<plan_table_count> Sizes>
struct in_run_arrays {
  template <class Item, int Number>
  using table = constant_items<run_item<Item>, std::is_empty_v<run_item<Item>> ? 0 : Sizes.of[Number]>;
};
struct in_run_views {
  template <class Item, int Number>
  using table = array_view<const run_item<Item>>;
};

// What makes the launch arguments of a family: the functions that have their types. A plan without the family
// has nothing of it, so that the program compiles nothing either.
struct family_launcher {
  const void* planned = nullptr;
  std::size_t count = 0;
  void* (*make_arguments)(std::size_t count) = nullptr;
  void (*delete_arguments)(void* arguments) = nullptr;
  void (*launch)(const void* planned, void* arguments, std::size_t i, const launch_site&) = nullptr;
  int operands = 0;
};
template <class F>
TAPELESS_COLD void* make_arguments(std::size_t count) {
  return new typename F::arguments[count]();
}
template <class F>
TAPELESS_COLD void delete_arguments(void* arguments) {
  delete[] static_cast<typename F::arguments*>(arguments);
}
template <class F>
TAPELESS_COLD void launch(const void* planned, void* arguments, std::size_t i, const launch_site& at) {
  typename F::arguments& own = static_cast<typename F::arguments*>(arguments)[i];
  static_cast<const F*>(planned)[i].launch(own = {}, at);
}

template <class GraphBuilder>
struct run_tables : plan_tables<in_run_arrays<numbered(plan_sizes_of<GraphBuilder>)>> {
  constant_items<run_node, constant_graph_of<GraphBuilder>.nodes.size()> nodes{};
  constant_items<graph_output, constant_graph_of<GraphBuilder>.outputs.size()> outputs{};
  constant_items<index_bound, constant_graph_of<GraphBuilder>.index_bounds.size()> index_bounds{};
};

struct copy_at_run_time {
  template <class Table, class Copy>
  constexpr void operator()(const Table& table, Copy& copy) const {
    if constexpr (Copy::size() > 0)  // compilers warn of comparisons with 0
      for (std::size_t i = 0; i < Copy::size(); ++i) copy[i] = at_run_time(table[i]);
  }
};

template <class GraphBuilder>
constexpr run_tables<GraphBuilder> make_run_tables() {
  run_tables<GraphBuilder> run;
  for_each_plan_table(copy_at_run_time{}, plan_of<GraphBuilder>, run);
  constexpr auto& g = constant_graph_of<GraphBuilder>;
  for (std::size_t i = 0; i < g.nodes.size(); ++i) run.nodes[i] = summary_of(g.nodes[i]);
  run.outputs = g.outputs;
  run.index_bounds = g.index_bounds;
  return run;
}

// A constant of its own, so that what only the compiler reads does not come along into the program.
template <class GraphBuilder>
inline constexpr run_tables<GraphBuilder> run_tables_of = make_run_tables<GraphBuilder>();

}  // namespace detail

/// A plan's tables as far as a program needs them: without instructions.
struct plan_view : plan_tables<detail::in_run_views> {
  array_view<const run_node> nodes;
  array_view<const graph_output> outputs;
  array_view<const index_bound> index_bounds;
  detail::family_launcher launchers[kernel_families::size] = {};  // by the family's place in the list
};

namespace detail {

struct look_at_table {
  template <class Table, class View>
  constexpr void operator()(const Table& table, View& view) const {
    view = table;
  }
};

// Sets the launcher of a family where the plan has it.
template <class GraphBuilder, class F>
constexpr void set_launcher(family_launcher& launcher) {
  constexpr auto& planned = run_tables_of<GraphBuilder>.families.template of<F>();
  if constexpr (plan_of<GraphBuilder>.families.template of<F>().size() != 0)
    launcher = {planned.data(),       planned.size(), &make_arguments<F>,
                &delete_arguments<F>, &launch<F>,     F::operands};
}
template <class GraphBuilder, class... F>
constexpr void set_launchers(family_list<F...>, family_launcher (&launchers)[sizeof...(F)]) {
  (set_launcher<GraphBuilder, F>(launchers[kernel_families::place_of<F>]), ...);
}

template <class GraphBuilder>
constexpr plan_view make_view() {
  constexpr auto& run = run_tables_of<GraphBuilder>;
  plan_view view;
  for_each_plan_table(look_at_table{}, run, view);
  view.nodes = run.nodes;
  view.outputs = run.outputs;
  view.index_bounds = run.index_bounds;
  set_launchers<GraphBuilder>(kernel_families{}, view.launchers);
  return view;
}
template <class GraphBuilder>
inline constexpr plan_view view_of = make_view<GraphBuilder>();

}  // namespace detail

/// The plan of a builder's graph.
template <class GraphBuilder>
constexpr const plan_view& view_of_plan() {
  return detail::view_of<GraphBuilder>;
}

/// The largest extent, and the largest number of elements: more than any machine holds, and few enough that
/// their bytes can be added up.
inline constexpr std::int64_t largest_extent = std::int64_t{1} << 48;

/// a b, or what is too much by 1; -1 where one of them is not known.
constexpr std::int64_t bounded_product(std::int64_t a, std::int64_t b) {
  if (a < 0 || b < 0) return -1;
  return a != 0 && b > largest_extent / a ? largest_extent + 1 : a * b;
}

/// Sets the values of derived extents, from those of the symbols: values[k] is entry k's. `symbols(k)` gives
/// a symbol entry's value. Entries refer to earlier ones only. What would be negative is 0, see
/// negative_extent. Returns the first entry whose value is too large, which ends it, or -1.
template <class Symbols, class Values>
TAPELESS_SELDOM constexpr int evaluate_extents(array_view<const derived_extent> entries, Symbols symbols,
                                               Values& values) {
  const auto value = [&](std::int64_t e) { return e >= 0 ? e : values[static_cast<std::size_t>(-1 - e)]; };
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const derived_extent& e = entries[k];
    switch (e.kind) {
      case extent_kind::symbol:
        values[k] = symbols(k);
        break;
      case extent_kind::sum:
        values[k] = value(e.left) + value(e.right);
        break;
      case extent_kind::difference:
        values[k] = value(e.left) < value(e.right) ? 0 : value(e.left) - value(e.right);
        break;
      case extent_kind::product:
        values[k] = bounded_product(value(e.left), value(e.right));
        break;
      case extent_kind::quotient:
        values[k] = value(e.left) / value(e.right);
        break;
    }
    if (values[k] > largest_extent) return static_cast<int>(k);
  }
  return -1;
}

/// An extent that would be negative, and that others may make up for; null without one. `value(e)` is extent
/// e's.
template <class Value>
constexpr const derived_extent* negative_extent(array_view<const derived_extent> entries, Value value) {
  for (const derived_extent& e : entries)
    if (e.kind == extent_kind::difference && value(e.left) >= 0 && value(e.left) < value(e.right)) return &e;
  return nullptr;
}

/// Whether a program computes with derived extent `symbol`, of which it may need less than its model has: in
/// the shape of a node or the place of its elements, as a number, as a count, or as a bound.
TAPELESS_SELDOM constexpr bool needs_extent(const plan_view& plan, std::int64_t symbol) {
  const auto is_in = [&](std::int64_t e) { return mentions_extent(plan.extents, e, symbol); };
  for (const run_node& n : plan.nodes) {
    for (int d = 0; d < n.rank; ++d)
      if (is_in(n.shape[d])) return true;
    if (n.is_slice && is_in(n.slice.begin)) return true;
  }
  for (const planned_load& l : plan.loads)
    if (is_in(l.place.offset)) return true;  // a size's is the size
  for (const planned_loop& l : plan.loops)
    if (is_in(l.count)) return true;
  bool in_bounds = false;
  for (index_bound b : plan.index_bounds)
    b.for_each_extent([&](std::int64_t e) { in_bounds = in_bounds || is_in(e); });
  return in_bounds;
}
/// Whether an input has an axis of derived extent `symbol`.
TAPELESS_COLD constexpr bool is_input_axis(const plan_view& plan, std::int64_t symbol) {
  for (const int id : plan.inputs) {
    const run_node& n = plan.nodes[static_cast<std::size_t>(id)];
    for (int d = 0; d < n.rank; ++d)
      if (n.shape[d] == -1 - symbol) return true;
  }
  return false;
}

}  // namespace tapeless
