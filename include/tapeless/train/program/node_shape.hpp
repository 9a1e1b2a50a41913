// SPDX-License-Identifier: BSL-1.0
// The shapes of a graph's nodes, where they are known while compiling.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/node.hpp>
#include <tapeless/plan/plan.hpp>

namespace tapeless::detail {

/// The shape of a node, where derived extents have these values.
template <class GraphBuilder, int Id>
constexpr auto shape_with(array_view<const std::int64_t> values) {
  constexpr int rank = constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(Id)].rank;
  std::array<std::int64_t, static_cast<std::size_t>(rank)> shape{};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::int64_t e = constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(Id)].shape[d];
    shape[d] = e >= 0 ? e : values[static_cast<std::size_t>(-1 - e)];
  }
  return shape;
}
/// How many elements it has then.
template <class GraphBuilder>
constexpr std::int64_t count_of_node(int id, array_view<const std::int64_t> values = {}) {
  const node& n = constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(id)];
  std::int64_t count = 1;
  for (int d = 0; d < n.rank; ++d)
    count *= n.shape[d] >= 0 ? n.shape[d] : values[static_cast<std::size_t>(-1 - n.shape[d])];
  return count;
}

/// The shape of a node without derived extents. A copy: a program that refers to the graph itself contains
/// the code of all derivatives.
template <class GraphBuilder, int Id>
inline constexpr auto shape_of_node = shape_with<GraphBuilder, Id>({});

}  // namespace tapeless::detail
