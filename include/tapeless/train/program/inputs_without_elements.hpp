// SPDX-License-Identifier: BSL-1.0
// Which inputs a step must have elements of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/plan/plan.hpp>

namespace tapeless {

/// What becomes of an input without elements.
enum class without_elements : std::uint8_t {
  is_none,     // all of its extents are known while compiling
  is_taken,    // where another input has elements: a graph without edges
  is_refused,  // the program computes with how many there are: a mean over none would be NaN
};

/// Of the inputs of a program, in the order of its plan.
template <class GraphBuilder>
inline constexpr auto inputs_without_elements = [] {
  constexpr auto& g = constant_graph_of<GraphBuilder>;
  std::array<without_elements, plan_of<GraphBuilder>.inputs.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const node& input = g.nodes[static_cast<std::size_t>(plan_of<GraphBuilder>.inputs[i])];
    for (int d = 0; d < input.rank; ++d) {
      if (input.shape[d] >= 0 || all[i] == without_elements::is_refused) continue;
      all[i] = without_elements::is_taken;
      for (const node& n : g.nodes)
        if (n.op->kind == family::size && mentions_extent(g.extents, extent_of(n), -1 - input.shape[d]))
          all[i] = without_elements::is_refused;
    }
  }
  return all;
}();

}  // namespace tapeless
