// SPDX-License-Identifier: BSL-1.0
// Sorts a call's bindings into a program's inputs and run-time extents, by name, while compiling.
#pragma once

#include <tapeless/train/binding.hpp>
#include <tapeless/train/result.hpp>
#include <tapeless/train/stages.hpp>

namespace tapeless {

namespace detail {

template <class Stage>
constexpr int input_index(const name* label) {
  for (std::size_t i = 0; i < plan_of<Stage>.inputs.size(); ++i)
    if (frozen<Stage>.nodes[static_cast<std::size_t>(plan_of<Stage>.inputs[i])].label == label)
      return static_cast<int>(i);
  return -1;
}

template <class Model>
constexpr bool model_has_input(const name* label) {
  for (const node& n : frozen<lower<Model>>.nodes)
    if (n.op->kind == family::input && n.label == label) return true;
  return false;
}

template <class Model>
constexpr bool model_has_symbol(const name* label) {
  for (const derived_extent& e : frozen<lower<Model>>.extents)
    if (e.kind == extent_kind::symbol && e.symbol == label) return true;
  return false;
}

template <class Model>
constexpr auto bindable_labels() {
  constexpr auto& g = frozen<lower<Model>>;
  std::array<const name*, g.nodes.size()> labels{};
  for (std::size_t i = 0; i < g.nodes.size(); ++i)
    if (g.nodes[i].op->kind == family::input) labels[i] = g.nodes[i].label;
  return labels;
}

template <class Model, name Name>
constexpr void check_bindable() {
  if constexpr (!model_has_input<Model>(&interned<Name>) && !model_has_symbol<Model>(&interned<Name>)) {
    constexpr text message = unknown_name("input", Name.view(), bindable_labels<Model>());
    static_assert(compile_error<sentence_of<message.size>(message)>::reported);
  }
}

/// A call's bindings, sorted.
template <std::size_t Inputs, std::size_t Extents>
struct sorted_bindings {
  std::array<bound_elements, Inputs> inputs{};
  std::array<bound_extent, Extents> extents{};
  std::size_t extent_count = 0;
};

template <class Model, class Stage, std::size_t Inputs, std::size_t Extents, name Name>
void sort_binding(sorted_bindings<Inputs, Extents>& sorted, const binding<Name>& b) {
  check_bindable<Model, Name>();
  constexpr int index = input_index<Stage>(&interned<Name>);
  if constexpr (index >= 0)
    sorted.inputs[index] = b.elements();
  else if constexpr (model_has_symbol<Model>(&interned<Name>))
    sorted.extents[sorted.extent_count++] = {&interned<Name>, b.extent()};
}

template <class Model, class Stage, class Program, name... Names>
void call_program(bound_program<Program>& program, const binding<Names>&... bindings) {
  sorted_bindings<plan_of<Stage>.inputs.size(), sizeof...(Names)> sorted;
  (sort_binding<Model, Stage>(sorted, bindings), ...);
  program.run(sorted.inputs, std::span(sorted.extents).first(sorted.extent_count));
}

}  // namespace detail

}  // namespace tapeless
