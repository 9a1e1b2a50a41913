// SPDX-License-Identifier: BSL-1.0
// What a run gives back: a view of the program's outputs, by name.
#pragma once

#include <array>
#include <cstddef>

#include <tapeless/expr/misuse.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/train/binding/tensor_view.hpp>
#include <tapeless/train/program/bound_program.hpp>
#include <tapeless/train/program/framework_calls.hpp>
#include <tapeless/train/program/loss_number.hpp>
#include <tapeless/train/program/node_shape.hpp>
#include <tapeless/train/program/output_names.hpp>

namespace tapeless {

/// The outputs of a run: of a trainer's steps, gradients, evaluations or predictions. They can be read until
/// the next run of the same kind; later on reading throws an error. `get<"y">().copy()` keeps one.
template <class GraphBuilder, class Program>
class result : public framework_result_calls {
  static constexpr bool has_lines = requires(const Program& p) { p.is_code(0); };
  static constexpr std::size_t place_count = [] {
    if constexpr (has_lines) return constant_graph_of<GraphBuilder>.outputs.size();
    return std::size_t{0};
  }();

 public:
  using places = std::array<const std::byte*, place_count>;

  explicit result(const bound_program<Program>& program) : program_(&program), stamp_(program.stamp()) {}
  /// Of a run by straight-line code, with where its outputs are, as far as that is known: null elsewhere.
  result(const bound_program<Program>& program, run_stamp stamp, const places& known)
      : program_(&program), stamp_(stamp), known_(known) {}

  /// A view of the output of that name. Throws an error where it is outdated.
  template <name Name>
  auto get() const {
    constexpr int index = detail::output_index_of<GraphBuilder, Name>();
    if constexpr (index >= 0)
      return view<index>();
    else
      return no_output{};
  }

  /// Refuses a name as an argument.
  template <class Text>
  auto get(const Text&) const {
    static_assert(compile_error<misuse<Text>::name_as_argument>::reported);
    return view<0>();
  }

  /// The loss: the model's first output. Throws an error where it is outdated.
  auto loss() const {
    static_assert(
        constant_graph_of<GraphBuilder>.outputs[0].label == nullptr,
        "tapeless: this program does not compute the loss: read an output of it, result.get<\"y\">()");
    stamp_.check();
    return *elements<0>();
  }

  /// The loss, where a number is expected: if (net.step(...) < 0.1f).
  operator detail::loss_number<GraphBuilder>() const { return loss(); }

  /// The moment after the run.
  run_stamp stamp() const { return stamp_; }

 private:
  const bound_program<Program>* program_;
  run_stamp stamp_;
  [[no_unique_address]] places known_{};

  template <int Index>
  auto elements() const {
    constexpr element type =
        constant_graph_of<GraphBuilder>.nodes[constant_graph_of<GraphBuilder>.outputs[Index].node].type;
    const std::byte* place = nullptr;
    if constexpr (has_lines) place = known_[Index];
    if (place != nullptr) return reinterpret_cast<const storage_of<type>*>(place);
    if constexpr (requires { program_->program().output_at(placement{}); }) {
      constexpr int id = constant_graph_of<GraphBuilder>.outputs[Index].node;
      constexpr placement known = plan_of<GraphBuilder>.place[static_cast<std::size_t>(id)];
      place = program_->program().output_at(known);
    } else {
      place = program_->output(Index);
    }
    return reinterpret_cast<const storage_of<type>*>(place);
  }

  template <int Index>
  auto view() const {
    stamp_.check();
    const auto* const here = elements<Index>();
    using view = tensor_view<std::remove_pointer_t<decltype(here)>>;
    if constexpr (plan_of<GraphBuilder>.extents.size() == 0) {
      constexpr auto& shape =
          detail::shape_of_node<GraphBuilder, constant_graph_of<GraphBuilder>.outputs[Index].node>;
      return view(here, {shape.data(), shape.size()}, stamp_);
    } else {
      std::array<std::int64_t, max_rank> shape{};
      const std::size_t rank = program_->output_shape(Index, shape);
      return view(here, {shape.data(), rank}, stamp_);
    }
  }
};

}  // namespace tapeless
