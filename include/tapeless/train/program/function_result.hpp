// SPDX-License-Identifier: BSL-1.0
// What a function gives back: its outputs, by name, in memory that they hold.
#pragma once

#include <tapeless/train/program/framework_calls.hpp>
#include <tapeless/train/program/result.hpp>
#include <tapeless/train/program/stored_outputs.hpp>

namespace tapeless {

/// A view of an output, which can be read as long as it lives, or a copy of it: whatever runs meanwhile, and
/// wherever the function is. A tensor_view that is made of it can be read as long, and then until the memory
/// is used again. Reading it later throws an error.
template <class T>
class output_view : public tensor_view<T> {
 public:
  output_view(const held_outputs& held, std::size_t output)
      : tensor_view<T>(reinterpret_cast<T*>(held->data(output)),
                       {held->shape_of(output).extents.data(), held->shape_of(output).rank}, held->stamp()),
        held_(held) {}

 private:
  held_outputs held_;
};

/// The outputs of a call of a function. They can be read as long as this lives, or a view of one of them.
/// Any number of results may be there at the same time.
template <class GraphBuilder>
class function_result : public framework_result_calls {
 public:
  explicit function_result(const held_outputs& held) : held_(held) {}

  /// A view of the output of that name.
  template <name Name>
  auto get() const {
    constexpr int index = detail::output_index_of<GraphBuilder, Name>();
    if constexpr (index >= 0)
      return output_view<const storage_of<type_of<index>()>>(held_, index);
    else
      return no_output{};
  }

  /// Refuses a name as an argument.
  template <class Text>
  auto get(const Text&) const {
    static_assert(compile_error<misuse<Text>::name_as_argument>::reported);
    return output_view<const storage_of<type_of<0>()>>(held_, 0);
  }

  /// The loss: the model's first output.
  auto loss() const {
    static_assert(
        constant_graph_of<GraphBuilder>.outputs[0].label == nullptr,
        "tapeless: this program does not compute the loss: read an output of it, result.get<\"y\">()");
    return *reinterpret_cast<const storage_of<type_of<0>()>*>(held_->data(0));
  }
  /// The loss, where a number is expected.
  operator detail::loss_number<GraphBuilder>() const { return loss(); }

 private:
  held_outputs held_;

  template <int Index>
  static constexpr element type_of() {
    return constant_graph_of<GraphBuilder>.nodes[constant_graph_of<GraphBuilder>.outputs[Index].node].type;
  }
};

}  // namespace tapeless
