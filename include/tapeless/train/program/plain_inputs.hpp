// SPDX-License-Identifier: BSL-1.0
// What is bound to a program whose extents are all known, where it can be read as it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tapeless/expr/lower.hpp>
#include <tapeless/plan/plan.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/train/program/call.hpp>
#include <tapeless/train/program/node_shape.hpp>

namespace tapeless::detail {

// A copy: a program that refers to the graph itself contains the code of all derivatives.
template <class GraphBuilder>
inline constexpr auto index_bounds_of = constant_graph_of<GraphBuilder>.index_bounds;

/// Whether elements can be an input's as they are: of its type and shape, contiguous, not on a device alone,
/// and none out of range where they are indices.
template <class GraphBuilder, int Input>
[[gnu::always_inline]] inline bool is_plain(const bound_elements& e, const std::byte* data) {
  constexpr int id = plan_of<GraphBuilder>.inputs[Input];
  constexpr element type = constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(id)].type;
  constexpr std::int64_t count = count_of_node<GraphBuilder>(id);
  if (data == nullptr || e.type != type || e.count != count || e.strided_axes != 0) return false;
  if (e.device_data != nullptr) return false;
  if (e.rank >= 0) {
    constexpr auto& shape = shape_of_node<GraphBuilder, id>;
    if (static_cast<std::size_t>(e.rank) != shape.size()) return false;
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (e.shape[d] != shape[d]) return false;
  }
  if constexpr (is_integer(type)) {
    const auto* indices = reinterpret_cast<const storage_of<type>*>(data);
    for (const index_bound& b : index_bounds_of<GraphBuilder>)
      if (b.node == id)
        for (std::int64_t i = 0; i < count; ++i) {
          const std::int64_t index = indices[i];
          if ((index < 0 || index >= b.bound) && index != b.ignored) return false;
        }
  }
  return true;
}

/// Where a program's inputs are, and whether all are plain.
template <class GraphBuilder>
struct plain_inputs {
  static constexpr std::size_t count = plan_of<GraphBuilder>.inputs.size();
  static constexpr std::array<std::size_t, count> bytes = [] {
    std::array<std::size_t, count> all{};
    for (std::size_t i = 0; i < count; ++i) {
      const int id = plan_of<GraphBuilder>.inputs[i];
      all[i] = static_cast<std::size_t>(count_of_node<GraphBuilder>(id)) *
               size_of(constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(id)].type);
    }
    return all;
  }();

  const std::byte* data[count + 1] = {};
  bool are_plain = true;

  /// The inputs are what a call binds.
  template <class... Bindings>
  [[gnu::always_inline]] explicit plain_inputs(const Bindings&... bindings) {
    (for_each_binding(bindings, [&](const auto& b) { this->bind(b); }), ...);
  }

 private:
  template <name Name>
  [[gnu::always_inline]] void bind(const binding<Name>& b) {
    constexpr int index = input_index<GraphBuilder>(&interned<Name>);
    if constexpr (index >= 0) {
      if constexpr (count_of_node<GraphBuilder>(plan_of<GraphBuilder>.inputs[index]) == 1) {
        data[index] = b.data();
      } else {  // not a number in the binding, which can stay in registers so
        data[index] = b.elements().data;
      }
      are_plain = are_plain && is_plain<GraphBuilder, index>(b.elements(), data[index]);
    }
  }
};

}  // namespace tapeless::detail
