// SPDX-License-Identifier: BSL-1.0
// What a run gives back: a view of the program's outputs, by name.
#pragma once

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/run/element_types.hpp>
#include <tapeless/train/bound_program.hpp>
#include <tapeless/train/tensor_view.hpp>

namespace tapeless {

namespace detail {

/// A sentence for a name that a program does not have, which lists those that it has.
template <class Labels>
constexpr text unknown_name(std::string_view what, std::string_view wanted, const Labels& labels) {
  text t;
  t << "there is no " << what << " named \"" << wanted << "\"";
  bool any = false;
  for (const name* label : labels) {
    if (label == nullptr) continue;
    t << (any ? ", " : "; there is ") << "\"" << label->view() << "\"";
    any = true;
  }
  return any ? t : t << "; there is none";
}

template <class Stage>
constexpr auto output_labels() {
  std::array<const name*, frozen<Stage>.outputs.size()> labels{};
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = frozen<Stage>.outputs[i].label;
  return labels;
}

template <class Stage>
constexpr int output_index(const name* label) {
  for (std::size_t i = 0; i < frozen<Stage>.outputs.size(); ++i)
    if (frozen<Stage>.outputs[i].label == label) return static_cast<int>(i);
  return -1;
}

}  // namespace detail

/// The outputs of a run: of a trainer's steps, gradients, evaluations or predictions, or of a function. They
/// can be read until the next run of the same kind; later on reading throws an error. `get<"y">().copy()`
/// keeps one.
template <class Stage, class Program>
class result {
 public:
  explicit result(const bound_program<Program>& program) : program_(&program), stamp_(program.stamp()) {}

  /// A view of the output of that name. Throws an error where it is outdated.
  template <name Name>
  auto get() const {
    constexpr int index = detail::output_index<Stage>(&interned<Name>);
    if constexpr (index < 0) {
      constexpr text message = detail::unknown_name("output", Name.view(), detail::output_labels<Stage>());
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    } else {
      return view<index>();
    }
  }

  /// The loss: the model's first output. Throws an error where it is outdated.
  auto loss() const {
    static_assert(frozen<Stage>.outputs[0].label == nullptr,
                  "tapeless: this program does not compute the loss");
    stamp_.check();
    return *elements<0>();
  }

 private:
  const bound_program<Program>* program_;
  run_stamp stamp_;

  template <int Index>
  auto elements() const {
    constexpr element type = frozen<Stage>.nodes[frozen<Stage>.outputs[Index].node].type;
    return reinterpret_cast<const storage_of<type>*>(program_->output(Index));
  }

  template <int Index>
  auto view() const {
    stamp_.check();
    std::array<std::int64_t, max_rank> shape{};
    const std::size_t rank = program_->output_shape(Index, shape);
    const auto* const here = elements<Index>();
    return tensor_view<std::remove_pointer_t<decltype(here)>>(here, {shape.data(), rank}, stamp_);
  }
};

}  // namespace tapeless
