// SPDX-License-Identifier: BSL-1.0
// Sorts a call's bindings into a program's inputs and run-time extents, by name, while compiling.
#pragma once

#include <tapeless/graph/array_view.hpp>
#include <tapeless/train/binding.hpp>
#include <tapeless/train/result.hpp>
#include <tapeless/train/stages.hpp>
#include <tapeless/train/struct_binding.hpp>

namespace tapeless {

/// A stage's inputs and the run-time extents that are bound by name, in the order of its plan.
template <class Stage>
struct bindings_of {
  std::array<bound_elements, plan_of<Stage>.inputs.size()> inputs{};
  std::array<bound_extent, plan_of<Stage>.extents.size()> extents{};
  std::size_t extent_count = 0;

  array_view<const bound_extent> known_extents() const { return {extents.data(), extent_count}; }
};

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

template <class Model, class Stage, name Name>
void sort_binding(bindings_of<Stage>& sorted, const binding<Name>& b) {
  check_bindable<Model, Name>();
  constexpr int index = input_index<Stage>(&interned<Name>);
  const auto refuse = [] { throw error("\"" + std::string(Name.view()) + "\" is bound twice"); };
  if constexpr (index >= 0) {
    if (sorted.inputs[index].given) refuse();
    sorted.inputs[index] = b.elements();
  } else if constexpr (model_has_symbol<Model>(&interned<Name>)) {
    for (const bound_extent& other : sorted.known_extents())
      if (other.symbol == &interned<Name>) refuse();
    sorted.extents[sorted.extent_count++] = {&interned<Name>, b.extent()};
  }
}

template <class Model, class Stage, class... Bindings>
bindings_of<Stage> sort_bindings(const Bindings&... bindings) {
  bindings_of<Stage> sorted;
  (for_each_binding(bindings, [&](const auto& b) { sort_binding<Model, Stage>(sorted, b); }), ...);
  return sorted;
}

}  // namespace detail

}  // namespace tapeless
