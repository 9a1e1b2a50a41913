// SPDX-License-Identifier: BSL-1.0
// What is known of a model's parameters, and of a rule's states, while compiling.
#pragma once

#include <array>

#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/structural/left_alone.hpp>
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
  bool is_trained = true;  // a rule of the model's loss changes it: no buffer, nor behind stop_gradient alone

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
    p.is_trained = is_trained(n);
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

/// With a number, the labels of the states whose label another state of the same parameter has before them;
/// of the others, nothing.
template <std::size_t N>
constexpr std::array<name, N> numbered_labels(const std::array<state_description, N>& all) {
  std::array<name, N> labels{};
  list<int> last;     // each parameter's last state so far, or -1
  list<int> before;   // the same parameter's state before each one
  list<int> numbers;  // which one each is of those that have its label
  const auto at = [&](int i) -> const state_description& { return all[static_cast<std::size_t>(i)]; };
  for (std::size_t i = 0; i < N; ++i) {
    while (last.size() <= all[i].of + 1) last.push(-1);
    int k = before[before.push(last[all[i].of + 1])];
    while (k >= 0 && at(k).label != all[i].label) k = before[k];
    last[all[i].of + 1] = numbers.push(k < 0 ? 1 : numbers[k] + 1);
    if (k >= 0) labels[i] = numbered(*all[i].label, numbers[k] + 1);
  }
  return labels;
}
template <class GraphBuilder, std::int64_t First>
inline constexpr auto numbered_labels_of = numbered_labels(describe_states<GraphBuilder, First>());

}  // namespace detail

/// The states of a program's rule, in the order of their numbers, the first of which is First. Where a rule
/// asks for several of one label for a parameter, the second one's is "trace_2.buffer".
template <class GraphBuilder, std::int64_t First>
inline constexpr auto states_of_rule = [] {
  auto all = detail::describe_states<GraphBuilder, First>();
  constexpr auto& labels = detail::numbered_labels_of<GraphBuilder, First>;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (labels[i].size() != 0) all[i].label = &labels[i];
  return all;
}();

namespace detail {

/// The number of the parameter of that name; -1 where there is none.
inline int place_of(const name& label, array_view<const parameter_description> among) {
  for (std::size_t i = 0; i < among.size(); ++i)
    if (among[i].label->view() == label.view()) return static_cast<int>(i);
  return -1;
}

}  // namespace detail

}  // namespace tapeless
