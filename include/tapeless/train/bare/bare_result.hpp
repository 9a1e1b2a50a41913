// SPDX-License-Identifier: BSL-1.0
// What a run on tl::bare gives back.
#pragma once

#include <cstddef>
#include <limits>

#include <tapeless/run/bare/bare_memory.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/train/program/loss_number.hpp>
#include <tapeless/train/program/node_shape.hpp>
#include <tapeless/train/program/output_names.hpp>

namespace tapeless {

/// Elements in a trainer's memory, until its next run.
template <class T>
struct bare_view {
  const T* elements = nullptr;
  std::size_t count = 0;

  const T* data() const { return elements; }
  std::size_t size() const { return count; }
  const T& operator[](std::size_t i) const { return elements[i]; }
  const T* begin() const { return elements; }
  const T* end() const { return elements + count; }
};

/// The outputs of a run, until the trainer's next one. Where what was bound does not fit the model, nothing
/// has been run or changed: is_valid() is false, the loss NaN, and views are empty.
template <class GraphBuilder, class Layout>
class bare_result {
 public:
  bare_result(const bare_kernels::bare_memory& memory, bool is_valid)
      : memory_(memory), is_valid_(is_valid) {}

  bool is_valid() const { return is_valid_; }

  /// The loss: the model's first output.
  auto loss() const {
    static_assert(
        constant_graph_of<GraphBuilder>.outputs[0].label == nullptr,
        "tapeless: this program does not compute the loss: read an output of it, result.get<\"y\">()");
    using number = computed_as<type_of<0>>;
    return is_valid_ ? static_cast<number>(*elements<0>()) : std::numeric_limits<number>::quiet_NaN();
  }
  /// The loss, where a number is expected.
  operator detail::loss_number<GraphBuilder>() const { return loss(); }

  /// A view of the output of that name.
  template <name Name>
  auto get() const {
    constexpr int index = detail::output_index_of<GraphBuilder, Name>();
    if constexpr (index >= 0) {
      constexpr std::int64_t count =
          detail::count_of_node<GraphBuilder>(constant_graph_of<GraphBuilder>.outputs[index].node);
      using view = bare_view<storage_of<type_of<index>>>;
      return is_valid_ ? view{elements<index>(), static_cast<std::size_t>(count)} : view{};
    } else {
      return no_output{};
    }
  }

 private:
  bare_kernels::bare_memory memory_;
  bool is_valid_;

  template <int Index>
  static constexpr const node& node_of = constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(
      constant_graph_of<GraphBuilder>.outputs[Index].node)];
  template <int Index>
  static constexpr element type_of = node_of<Index>.type;

  template <int Index>
  auto elements() const {
    return bare_kernels::elements_of<GraphBuilder, Layout, const storage_of<type_of<Index>>,
                                     constant_graph_of<GraphBuilder>.outputs[Index].node>(memory_, 0);
  }
};

}  // namespace tapeless
