// SPDX-License-Identifier: BSL-1.0
// What is known of a model's parameters, and of a rule's states, while compiling.
#pragma once

#include <array>

#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/optim/base/repeated_labels.hpp>

namespace tapeless {

/// What is known of a parameter while compiling.
struct parameter_description {
  const name* label = nullptr;
  element type = element::f32;
  int rank = 0;
  std::array<std::int64_t, max_rank> shape{};
  std::int64_t count = 1;
  initializer start;
  bool is_buffer = false;  // no rule changes it, and it has no state

  constexpr std::int64_t bytes() const { return count * static_cast<std::int64_t>(size_of(type)); }
  constexpr array_view<const std::int64_t> extents() const {
    return {shape.data(), static_cast<std::size_t>(rank)};
  }
};

namespace detail {

template <class Model>
constexpr int parameter_count = [] {
  int count = 0;
  for (const node& n : constant_graph_of<lower<Model>>.nodes)
    count += n.op->kind == family::parameter ? 1 : 0;
  return count;
}();

constexpr void describe(const node& n, parameter_description& p) {
  p.label = n.label;
  p.type = n.type;
  p.rank = n.rank;
  for (int d = 0; d < n.rank; ++d) {
    p.shape[static_cast<std::size_t>(d)] = n.shape[d];
    p.count *= n.shape[d];
  }
}

template <class Model, element StoredAs>
constexpr auto describe_parameters() {
  std::array<parameter_description, static_cast<std::size_t>(parameter_count<Model>)> all{};
  std::size_t i = 0;
  constexpr auto& g = constant_graph_of<lower<Model>>;
  for (const node& n : g.nodes) {
    if (n.op->kind != family::parameter) continue;
    parameter_description& p = all[i++];
    describe(n, p);
    p.is_buffer = is_buffer(n);
    if (StoredAs != element::number && p.type == element::f32 && !p.is_buffer) p.type = StoredAs;
    p.start = g.initializers[static_cast<std::size_t>(initializer_number(n))];
  }
  return all;
}

}  // namespace detail

/// A model's parameters, in the order in which the model mentions them; those of float are stored as another
/// type where one is given.
template <class Model, element StoredAs = element::number>
inline constexpr auto parameters_of_model = detail::describe_parameters<Model, StoredAs>();

namespace detail {

/// The gradients that are added up, of parameters: in float where these have 16 bits.
template <std::size_t N>
constexpr auto gradients_of(std::array<parameter_description, N> parameters) {
  for (parameter_description& p : parameters)
    if (is_half(p.type)) p.type = element::f32;
  return parameters;
}

}  // namespace detail

/// What is known of a rule's state while compiling; `of` is the number of its parameter, or -1.
struct state_description : parameter_description {
  int of = -1;
};

namespace detail {

template <class GraphBuilder, std::int64_t First>
constexpr int state_count = [] {
  int count = 0;
  for (const node& n : constant_graph_of<GraphBuilder>.nodes)
    count += n.op->kind == family::state && state_number(n) >= First ? 1 : 0;
  return count;
}();

template <class GraphBuilder, std::int64_t First>
constexpr auto describe_states() {
  std::array<state_description, static_cast<std::size_t>(state_count<GraphBuilder, First>)> all{};
  for (const node& n : constant_graph_of<GraphBuilder>.nodes) {
    if (n.op->kind != family::state || state_number(n) < First) continue;
    state_description& s = all[static_cast<std::size_t>(state_number(n) - First)];
    describe(n, s);
    s.of = parameter_of_state(n);
    s.start = constant_graph_of<GraphBuilder>.initializers[static_cast<std::size_t>(initializer_number(n))];
  }
  return all;
}

/// Which one each state is of those that have the same label and belong to the same parameter, from 1 on.
template <std::size_t N>
constexpr std::array<int, N> numbers_among_equal(const std::array<state_description, N>& all) {
  std::array<int, N> numbers{}, before{};  // the same parameter's state before each one
  list<int> last;                          // of each parameter; at first, of none
  for (std::size_t i = 0; i < N; ++i) {
    while (last.size() <= all[i].of + 1) last.push(-1);
    int& of_same = last[all[i].of + 1];
    before[i] = of_same;
    of_same = static_cast<int>(i);
    numbers[i] = 1;
    for (int k = before[i]; k >= 0 && numbers[i] == 1; k = before[static_cast<std::size_t>(k)])
      if (all[static_cast<std::size_t>(k)].label == all[i].label)
        numbers[i] = numbers[static_cast<std::size_t>(k)] + 1;
  }
  return numbers;
}

template <std::size_t N>
constexpr std::size_t count_repeated(const std::array<int, N>& numbers) {
  std::size_t count = 0;
  for (int number : numbers) count += number > 1 ? 1 : 0;
  return count;
}

/// As the rule asks for them.
template <class GraphBuilder, std::int64_t First>
inline constexpr auto labelled_states = describe_states<GraphBuilder, First>();
template <class GraphBuilder, std::int64_t First>
inline constexpr auto state_repetitions = numbers_among_equal(labelled_states<GraphBuilder, First>);

/// Labels with a number, of those states whose number is not 1.
template <class GraphBuilder, std::int64_t First>
inline constexpr auto numbered_labels = [] {
  constexpr auto& all = labelled_states<GraphBuilder, First>;
  constexpr auto& numbers = state_repetitions<GraphBuilder, First>;
  std::array<name, count_repeated(numbers)> labels{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (numbers[i] != 1) labels[n++] = numbered(*all[i].label, numbers[i]);
  return labels;
}();

template <class GraphBuilder, std::int64_t First>
inline constexpr auto numbered_states = [] {
  auto all = labelled_states<GraphBuilder, First>;
  std::size_t n = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (state_repetitions<GraphBuilder, First>[i] != 1)
      all[i].label = &numbered_labels<GraphBuilder, First>[n++];
  return all;
}();

template <class GraphBuilder, std::int64_t First>
constexpr const auto& states_told_apart() {
  if constexpr (numbered_labels<GraphBuilder, First>.empty()) {
    return labelled_states<GraphBuilder, First>;
  } else {
    return numbered_states<GraphBuilder, First>;
  }
}

}  // namespace detail

/// The states of a program's rule, in the order of their numbers, the first of which is First. Where a rule
/// asks for several of one label for a parameter, the second one's is "trace_2.buffer".
template <class GraphBuilder, std::int64_t First>
inline constexpr const auto& states_of_rule = detail::states_told_apart<GraphBuilder, First>();

}  // namespace tapeless
