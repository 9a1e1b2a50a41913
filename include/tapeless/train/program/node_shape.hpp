// SPDX-License-Identifier: BSL-1.0
// The shapes of a graph's nodes, where they are known while compiling.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tapeless/graph/core/node.hpp>
#include <tapeless/plan/plan.hpp>

namespace tapeless::detail {

/// How many elements a node has.
template <class GraphBuilder>
constexpr std::int64_t count_of_node(int id) {
  const node& n = constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(id)];
  std::int64_t count = 1;
  for (int d = 0; d < n.rank; ++d) count *= n.shape[d];
  return count;
}

/// A copy: a program that refers to the graph itself contains the code of all derivatives.
template <class GraphBuilder, int Id>
inline constexpr auto shape_of_node = [] {
  constexpr const node& n = constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(Id)];
  std::array<std::int64_t, static_cast<std::size_t>(n.rank)> shape{};
  for (std::size_t d = 0; d < shape.size(); ++d) shape[d] = n.shape[d];
  return shape;
}();

}  // namespace tapeless::detail
