// SPDX-License-Identifier: BSL-1.0
// A plan without its sizes in the type, so that what works on plans at run time is compiled once.
#pragma once

#include <span>

#include <tapeless/plan/plan.hpp>

namespace tapeless {

struct plan_view {
  std::span<const node> nodes;
  std::span<const graph_output> outputs;
  std::span<const index_bound> index_bounds;
  std::span<const derived_extent> extents;
  std::span<const planned_load> loads;
  std::span<const planned_instruction> instructions;
  std::span<const planned_store> stores;
  std::span<const planned_pass> passes;
  std::span<const planned_product> products;
  std::span<const planned_step> steps;
  std::span<const planned_buffer> buffers;
  std::span<const placement> place;
  std::span<const int> inputs;
  std::span<const int> states;
};

/// The plan of the graph that a stage builds, and that graph's nodes.
template <class Stage>
constexpr plan_view view_of_plan() {
  constexpr auto& g = frozen<Stage>;
  constexpr auto& p = plan_of<Stage>;
  return {g.nodes,  g.outputs,  g.index_bounds, p.extents, p.loads, p.instructions, p.stores,
          p.passes, p.products, p.steps,        p.buffers, p.place, p.inputs,       p.states};
}

/// The values of derived extents, from those of the symbols: values[k] is entry k's. `symbols(k)` gives a
/// symbol entry's value. Entries refer to earlier ones only.
template <class Symbols, class Values>
constexpr void evaluate_extents(std::span<const derived_extent> entries, Symbols symbols, Values& values) {
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
      case extent_kind::product:
        values[k] = value(e.left) * value(e.right);
        break;
      case extent_kind::quotient:
        values[k] = value(e.left) / value(e.right);
        break;
    }
  }
}

}  // namespace tapeless
