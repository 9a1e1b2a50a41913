// SPDX-License-Identifier: BSL-1.0
// What of a plan is needed when the program runs, without its sizes in the type, so that what works on plans
// is compiled once; and without operations, so that their derivatives' code stays in the compiler.
#pragma once

#include <array>
#include <utility>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/plan/plan.hpp>

namespace tapeless {

/// A node, as far as inputs, outputs and run-time checks are concerned.
struct run_node {
  const name* label = nullptr;
  element type = element::f32;
  bool is_slice = false;
  bool is_window = false;  // a slice as far as checks are concerned: that of the windows' last elements
  int rank = 0;
  int operand = -1;
  std::int64_t shape[max_rank] = {};
  slice_places slice = {};
};

struct run_store {
  element type = element::f32;
  access place;
};

struct plan_view {
  array_view<const run_node> nodes;
  array_view<const graph_output> outputs;
  array_view<const index_bound> index_bounds;
  array_view<const derived_extent> extents;
  array_view<const planned_load> loads;
  array_view<const run_store> stores;
  array_view<const planned_fused_kernel> fused_kernels;
  array_view<const planned_product> products;
  array_view<const planned_convolution> convolutions;
  array_view<const planned_pooling> poolings;
  array_view<const planned_walk> walks;
  array_view<const planned_loop> loops;
  array_view<const planned_command> commands;
  array_view<const planned_buffer> buffers;
  array_view<const placement> place;
  array_view<const int> inputs;
};

namespace detail {

constexpr run_node summary_of(const node& n) {
  run_node r{.label = n.label, .type = n.type, .rank = n.rank, .operand = n.operands[0]};
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
constexpr run_store summary_of(const planned_store& s) { return {s.type, s.place}; }
template <class T, std::size_t N>
constexpr auto summaries_of(const std::array<T, N>& all) {
  std::array<decltype(summary_of(std::declval<T>())), N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i] = summary_of(all[i]);
  return result;
}

// Each table is a constant of its own, so that no other comes along with it into the program.
template <class GraphBuilder>
struct run_tables {
  static constexpr auto nodes = summaries_of(constant_graph_of<GraphBuilder>.nodes);
  static constexpr auto outputs = constant_graph_of<GraphBuilder>.outputs;
  static constexpr auto index_bounds = constant_graph_of<GraphBuilder>.index_bounds;
  static constexpr auto extents = plan_of<GraphBuilder>.extents;
  static constexpr auto loads = plan_of<GraphBuilder>.loads;
  static constexpr auto stores = summaries_of(plan_of<GraphBuilder>.stores);
  static constexpr auto fused_kernels = plan_of<GraphBuilder>.fused_kernels;
  static constexpr auto products = plan_of<GraphBuilder>.products;
  static constexpr auto convolutions = plan_of<GraphBuilder>.convolutions;
  static constexpr auto poolings = plan_of<GraphBuilder>.poolings;
  static constexpr auto walks = plan_of<GraphBuilder>.walks;
  static constexpr auto loops = plan_of<GraphBuilder>.loops;
  static constexpr auto commands = plan_of<GraphBuilder>.commands;
  static constexpr auto buffers = plan_of<GraphBuilder>.buffers;
  static constexpr auto place = plan_of<GraphBuilder>.place;
  static constexpr auto inputs = plan_of<GraphBuilder>.inputs;
};

}  // namespace detail

/// The plan of a builder's graph.
template <class GraphBuilder>
constexpr plan_view view_of_plan() {
  using t = detail::run_tables<GraphBuilder>;
  return {t::nodes,         t::outputs,  t::index_bounds, t::extents,  t::loads, t::stores,
          t::fused_kernels, t::products, t::convolutions, t::poolings, t::walks, t::loops,
          t::commands,      t::buffers,  t::place,        t::inputs};
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
/// a symbol entry's value. Entries refer to earlier ones only. Returns the first entry whose value is too
/// large, which ends it, or -1.
template <class Symbols, class Values>
constexpr int evaluate_extents(array_view<const derived_extent> entries, Symbols symbols, Values& values) {
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
        values[k] = value(e.left) < e.right ? 0 : value(e.left) - e.right;
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

}  // namespace tapeless
