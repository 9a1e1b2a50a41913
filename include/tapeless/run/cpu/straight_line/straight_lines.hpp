// SPDX-License-Identifier: BSL-1.0
// The straight-line code of a program: at one set of run-time extents each, with these as constants.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include <tapeless/expr/lower.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/run/cpu/straight_line/straight_line_plan.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

/// The values of a plan's derived extents, -1 where it needs none, or none that fit.
template <class GraphBuilder>
struct values_of_extents {
  static constexpr std::size_t count = plan_of<GraphBuilder>.extents.size();
  bool are_known = false;
  std::array<std::int64_t, count> all{};
};

template <class GraphBuilder>
constexpr values_of_extents<GraphBuilder> values_at(const extent_values& given) {
  constexpr auto& extents = plan_of<GraphBuilder>.extents;
  values_of_extents<GraphBuilder> values;
  int symbols = 0;
  bool are_given = true;
  const auto value = [&](std::size_t k) -> std::int64_t {
    if (!needs_extent(view_of_plan<GraphBuilder>(), static_cast<std::int64_t>(k))) return -1;
    ++symbols;
    const std::int64_t v = given.of(*extents[k].symbol);
    are_given = are_given && v > 0;
    return v;
  };
  const bool fit = evaluate_extents(extents, value, values.all) < 0 &&
                   negative_extent(
                       extents,
                       [&](std::int64_t e) {
                         return e >= 0 ? e : values.all[static_cast<std::size_t>(-1 - e)];
                       }) == nullptr;
  values.are_known = fit && are_given && (given.of_any == 0 || symbols <= 1);
  return values;
}

/// Whether the inputs tell all run-time extents that a program needs.
constexpr bool inputs_tell_extents(const plan_view& plan) {
  for (std::size_t k = 0; k < plan.extents.size(); ++k) {
    const auto symbol = static_cast<std::int64_t>(k);
    if (plan.extents[k].kind == extent_kind::symbol && needs_extent(plan, symbol) &&
        !is_input_axis(plan, symbol))
      return false;
  }
  return true;
}

constexpr bool is_same_place(const placement& a, const placement& b) {
  return a.kind == b.kind && (a.kind == storage::arena || a.index == b.index);
}

/// Whether two programs have the same inputs, outputs, parameters and states.
template <class GraphBuilder, class Other>
constexpr bool are_alike() {
  constexpr auto& g = constant_graph_of<GraphBuilder>;
  constexpr auto& h = constant_graph_of<Other>;
  constexpr auto& p = plan_of<GraphBuilder>;
  constexpr auto& q = plan_of<Other>;
  using layout = straight_line_layout<GraphBuilder>;
  using other_layout = straight_line_layout<Other>;
  if constexpr (p.inputs.size() != q.inputs.size() || g.outputs.size() != h.outputs.size() ||
                layout::parameters.size() != other_layout::parameters.size() ||
                layout::states.size() != other_layout::states.size()) {
    return false;
  } else {
    const auto node_of = [](const auto& of, int id) -> const node& {
      return of.nodes[static_cast<std::size_t>(id)];
    };
    for (std::size_t i = 0; i < p.inputs.size(); ++i) {
      const node &a = node_of(g, p.inputs[i]), &b = node_of(h, q.inputs[i]);
      if (a.label != b.label || a.type != b.type) return false;
    }
    for (std::size_t i = 0; i < g.outputs.size(); ++i) {
      const auto a = static_cast<std::size_t>(g.outputs[i].node),
                 b = static_cast<std::size_t>(h.outputs[i].node);
      if (g.outputs[i].label != h.outputs[i].label || g.nodes[a].type != h.nodes[b].type) return false;
      if (!is_same_place(p.place[a], q.place[b])) return false;
    }
    return layout::parameters == other_layout::parameters && layout::states == other_layout::states;
  }
}

template <class GraphBuilder>
constexpr bool can_be_built() {
  if constexpr (!sizes_of<lower<typename GraphBuilder::model>>.error.empty()) {
    return false;
  } else if constexpr (!sizes_of<GraphBuilder>.error.empty()) {
    return false;
  } else {
    return tapeless::detail::plan_sizes_of<GraphBuilder>.error.empty();
  }
}

/// What is wrong with values for the run-time extents of a model, as a sentence.
template <class Model, extent_values At>
constexpr text problem_of_values() {
  constexpr auto& extents = constant_graph_of<lower<Model>>.extents;
  for (const extent_values::named& n : At.by_name) {
    if (n.symbol.size() == 0) continue;
    bool is_there = false;
    text names;
    for (const derived_extent& e : extents) {
      if (e.kind != extent_kind::symbol) continue;
      is_there = is_there || *e.symbol == n.symbol;
      names << (names.empty() ? "\"" : ", \"") << e.symbol->view() << "\"";
    }
    if (!is_there)
      return text() << "straight_line_at has a value for \"" << n.symbol.view()
                    << "\", but the model's run-time extents are: " << names.view();
  }
  return {};
}

template <class GraphBuilder>
constexpr auto offsets_of_outputs() {
  constexpr auto& outputs = constant_graph_of<GraphBuilder>.outputs;
  std::array<std::int64_t, outputs.size()> offsets{};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const placement p = plan_of<GraphBuilder>.place[static_cast<std::size_t>(outputs[i].node)];
    const bool is_there = p.kind == storage::arena;
    offsets[i] = is_there ? straight_line_layout<GraphBuilder>::arena[static_cast<std::size_t>(p.index)] : -1;
  }
  return offsets;
}

/// A program with all extents known.
template <class GraphBuilder, std::int64_t MostSteps>
struct line_of_all {
  using builder = GraphBuilder;
  static constexpr std::array<std::int64_t, 0> values{};
  static constexpr bool exists = is_straight_line<GraphBuilder>(MostSteps);
};

/// A program at given values of its run-time extents: that of the model with these as constants, so that it
/// is the one of a model that was written with them.
template <class GraphBuilder, std::int64_t MostSteps, extent_values At, class = void>
struct line_at {
  using builder = void;
  static constexpr std::array<std::int64_t, plan_of<GraphBuilder>.extents.size()> values{};
  static constexpr bool exists = false;
};
template <class GraphBuilder, std::int64_t MostSteps, extent_values At>
struct line_at<
    GraphBuilder, MostSteps, At,
    std::void_t<typename GraphBuilder::template for_model<model_at<typename GraphBuilder::model, At>>>> {
  using builder = typename GraphBuilder::template for_model<model_at<typename GraphBuilder::model, At>>;
  static constexpr text problem = problem_of_values<typename GraphBuilder::model, At>();
  static constexpr auto found = values_at<GraphBuilder>(At);
  static constexpr auto values = found.all;
  static constexpr bool exists = [] {
    if constexpr (!problem.empty()) {
      static_assert(compile_error<sentence_of<problem.size>(problem)>::reported);
      return false;
    } else if constexpr (!found.are_known) {
      return false;
    } else if constexpr (!is_straight_line<GraphBuilder>(MostSteps, found.all) || !can_be_built<builder>()) {
      return false;
    } else {
      return is_straight_line<builder>(MostSteps) && are_alike<GraphBuilder, builder>();
    }
  }();
};

template <class... Line>
constexpr auto places_of_lines() {
  std::array<std::size_t, (std::size_t{Line::exists} + ... + 0)> places{};
  std::size_t count = 0, place = 0;
  ((Line::exists ? void(places[count++] = place++) : void(++place)), ...);
  return places;
}

template <class... Line>
struct line_list {
  static constexpr auto places = places_of_lines<Line...>();
  static constexpr std::size_t count = places.size();
  template <std::size_t I>
  using line = std::tuple_element_t<places[I], std::tuple<Line...>>;
};

template <class GraphBuilder, std::int64_t MostSteps, bool Static, extent_values... At>
struct lines_of {
  using type = line_list<line_at<GraphBuilder, MostSteps, At>...>;
};
template <class GraphBuilder, std::int64_t MostSteps, extent_values... At>
struct lines_of<GraphBuilder, MostSteps, true, At...> {
  using type = line_list<line_of_all<GraphBuilder, MostSteps>>;
};

}  // namespace detail

/// The straight-line code of a program: `count` times, at the `values` of its run-time extents (in the order
/// of its plan; -1 where one is not needed) that of the graph builder `builder`. None has more steps.
template <class GraphBuilder, std::int64_t MostSteps, extent_values... At>
struct straight_lines {
  /// Whether all its extents are known while compiling: where it has such code, it needs no tables.
  static constexpr bool is_static = plan_of<GraphBuilder>.extents.size() == 0;
  /// Whether a call with all inputs has told all extents.
  static constexpr bool are_told = [] {
    if constexpr (is_static)
      return true;
    else
      return detail::inputs_tell_extents(view_of_plan<GraphBuilder>());
  }();

 private:
  using all = typename detail::lines_of<GraphBuilder, MostSteps, is_static, At...>::type;

 public:
  static constexpr std::size_t count = all::count;
  template <std::size_t I>
  static constexpr const auto& values() {
    return all::template line<I>::values;
  }
  template <std::size_t I>
  using builder = typename all::template line<I>::builder;
  /// Where each output of the program is in its arena; -1 where it is elsewhere.
  template <std::size_t I>
  static constexpr auto output_offsets = detail::offsets_of_outputs<builder<I>>();
  /// What its arena takes.
  template <std::size_t I>
  static constexpr auto arena_bytes =
      static_cast<std::size_t>(straight_line_layout<builder<I>>::arena.back());
};

}  // namespace tapeless::cpu_kernels
