// SPDX-License-Identifier: BSL-1.0
// A model's graph for export, whatever its size: its outputs are those that are asked for by name.
#pragma once

#include <tapeless/graph/core/constant_graph.hpp>

namespace tapeless::onnx {

/// The tables of a finished graph.
struct graph_view : graph_tables<in_views>, graph_counters {
  /// The outputs that are exported: those with names, or the only one. A loss, which has none, is the first.
  constexpr array_view<const graph_output> exported() const {
    const bool has_loss = outputs.size() > 1 && outputs[0].label == nullptr;
    return has_loss ? outputs.subspan(1) : outputs;
  }
};

template <class ConstantGraph>
constexpr graph_view view_of(const ConstantGraph& g) {
  graph_view v;
  for_each_graph_table([](const auto& items, auto& view) { view = items; }, g, v);
  static_cast<graph_counters&>(v) = g;
  return v;
}

}  // namespace tapeless::onnx
