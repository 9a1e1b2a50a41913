// SPDX-License-Identifier: BSL-1.0
// Sorts a call's bindings into a program's inputs and run-time extents, by name, while compiling.
#pragma once

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/binding/bound_names.hpp>
#include <tapeless/train/binding/run_time_extents.hpp>
#include <tapeless/train/binding/tag.hpp>
#include <tapeless/train/program/check_bindings.hpp>
#include <tapeless/train/program/graph_builders.hpp>
#include <tapeless/train/program/output_names.hpp>

namespace tapeless {

/// A program's inputs in the order of its plan, and the run-time extents that are bound by name or found from
/// the model's other inputs.
template <class GraphBuilder>
struct bindings_of {
  std::array<bound_elements, plan_of<GraphBuilder>.inputs.size()> inputs{};
  std::array<bound_extent, 2 * plan_of<GraphBuilder>.extents.size()> extents{};
  std::size_t extent_count = 0;

  array_view<const bound_extent> known_extents() const { return {extents.data(), extent_count}; }
};

namespace detail {

template <class GraphBuilder>
constexpr int input_index(const name* label) {
  for (std::size_t i = 0; i < plan_of<GraphBuilder>.inputs.size(); ++i)
    if (constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(plan_of<GraphBuilder>.inputs[i])].label ==
        label)
      return static_cast<int>(i);
  return -1;
}

/// The shape that a model gives an input: symbols, null where the extent is literal.
template <int Rank>
struct input_shape {
  std::array<const name*, Rank> symbols{};
  std::array<std::int64_t, Rank> literals{};
};

template <class Model, const name* Label>
constexpr auto shape_of_input = [] {
  constexpr auto& g = constant_graph_of<lower<Model>>;
  constexpr std::size_t id = [] {
    std::size_t i = 0;
    while (g.nodes[i].op->kind != family::input || g.nodes[i].label != Label) ++i;
    return i;
  }();
  constexpr int rank = g.nodes[id].rank;
  input_shape<rank> shape;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t e = g.nodes[id].shape[d];
    if (e >= 0) shape.literals[d] = e;
    if (e < 0) shape.symbols[d] = g.extents[static_cast<std::size_t>(-1 - e)].symbol;
  }
  return shape;
}();

/// What a binding tells of the run-time extents of an input whose elements a program does not need: its shape
/// tells all, a count one. They are added to the `count` that are known so far.
TAPELESS_WARM inline void find_extents(const name* label, array_view<const name* const> symbols,
                                       array_view<const std::int64_t> literals, const bound_elements& e,
                                       array_view<bound_extent> found, std::size_t& count) {
  if (e.rank >= 0 && static_cast<std::size_t>(e.rank) != symbols.size()) return;
  std::int64_t known = 1;
  int unknown = 0;
  for (std::size_t d = 0; d < symbols.size(); ++d) {
    if (symbols[d] == nullptr) known = bounded_product(known, literals[d]);
    if (symbols[d] != nullptr) ++unknown;
  }
  if (e.rank < 0 && (unknown != 1 || known == 0 || e.count % known != 0)) return;
  for (std::size_t d = 0; d < symbols.size(); ++d) {
    if (symbols[d] == nullptr) continue;
    const bound_extent extent{symbols[d], e.rank < 0 ? e.count / known : e.shape[d], label};
    bool is_new = true;
    for (const bound_extent& other : found.first(count)) {
      if (other.found_from == nullptr || other.symbol != extent.symbol) continue;
      refuse_difference(extent, other.value);
      is_new = false;
    }
    if (is_new) found[count++] = extent;
  }
}

/// The same of an input of the model, unless the program needs its elements.
template <class Model, const name* Label, class GraphBuilder>
void add_extents(bindings_of<GraphBuilder>& sorted, const bound_elements& e) {
  if constexpr (input_index<GraphBuilder>(Label) < 0) {
    constexpr auto& shape = shape_of_input<Model, Label>;
    if constexpr (shape.symbols.size() > 0)
      find_extents(Label, shape.symbols, shape.literals, e, sorted.extents, sorted.extent_count);
  }
}

/// What a program needs of the inputs of another one of its model, which has them all.
template <class GraphBuilder, class Other>
bindings_of<GraphBuilder> chosen_from(const bindings_of<Other>& all) {
  bindings_of<GraphBuilder> chosen;
  constexpr auto& g = constant_graph_of<GraphBuilder>;
  constexpr auto& inputs = plan_of<GraphBuilder>.inputs;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((chosen.inputs[I] = all.inputs[static_cast<std::size_t>(
          input_index<Other>(g.nodes[static_cast<std::size_t>(inputs[I])].label))]),
     ...);
  }(std::make_index_sequence<inputs.size()>{});
  for (const bound_extent& e : all.known_extents())
    for (const derived_extent& own : plan_of<GraphBuilder>.extents)
      if (own.symbol == e.symbol) chosen.extents[chosen.extent_count++] = e;
  constexpr auto& others = plan_of<Other>.inputs;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (add_extents<typename GraphBuilder::model,
                 constant_graph_of<Other>.nodes[static_cast<std::size_t>(others[I])].label>(chosen,
                                                                                            all.inputs[I]),
     ...);
  }(std::make_index_sequence<others.size()>{});
  return chosen;
}

template <class Model, class GraphBuilder, name Name>
void sort_binding(bindings_of<GraphBuilder>& sorted, const binding<Name>& b) {
  constexpr int index = input_index<GraphBuilder>(&interned<Name>);
  if constexpr (index >= 0) {
    constexpr int id = plan_of<GraphBuilder>.inputs[index];
    b.template write_to<constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(id)].type>(
        sorted.inputs[index]);
  } else if constexpr (model_has_symbol<Model>(&interned<Name>)) {
    sorted.extents[sorted.extent_count++] = {&interned<Name>, b.extent()};
  } else if constexpr (model_has_input<Model>(&interned<Name>)) {
    if constexpr (shape_of_input<Model, &interned<Name>>.symbols.size() > 0) {
      bound_elements e;
      b.write_to(e);
      add_extents<Model, &interned<Name>>(sorted, e);
    }
  }
}

/// Whether a call binds what it must; a sentence of the compiler says why not.
template <class Model, class GraphBuilder, class... Bindings>
constexpr bool binds_what_it_must() {
  constexpr bool all_have_names = (bindable<Bindings> && ...);
  if constexpr (all_have_names) {
    constexpr text problem = binding_problem<Model, GraphBuilder, Bindings...>();
    if constexpr (!problem.empty())
      static_assert(compile_error<sentence_of<problem.size>(problem)>::reported);
    return problem.empty();
  } else {
    static_assert(
        all_have_names,
        "tapeless: values are bound to an input by its name, net.step(\"x\"_t = x, \"y\"_t = y), where "
        "_t is of tapeless::literals; or all by a struct with members of these names, adapted by "
        "BOOST_HANA_ADAPT_STRUCT(type, members...)");
    return false;
  }
}

template <class Model, class GraphBuilder, class... Bindings>
bindings_of<GraphBuilder> sort_bindings(const Bindings&... bindings) {
  bindings_of<GraphBuilder> sorted;
  if constexpr (binds_what_it_must<Model, GraphBuilder, Bindings...>())
    (for_each_binding(bindings, [&](const auto& b) { sort_binding<Model, GraphBuilder>(sorted, b); }), ...);
  return sorted;
}

}  // namespace detail

}  // namespace tapeless
