// SPDX-License-Identifier: BSL-1.0
// The names of a program's outputs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/plan/plan.hpp>

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

template <class GraphBuilder>
constexpr auto output_labels() {
  std::array<const name*, constant_graph_of<GraphBuilder>.outputs.size()> labels{};
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = constant_graph_of<GraphBuilder>.outputs[i].label;
  return labels;
}

/// The place of the output with that label in a graph; -1 where there is none.
template <class Graph>
constexpr int output_index_in(const Graph& g, const name* label) {
  int i = 0;
  for (const auto& output : g.outputs) {
    if (output.label == label) return i;
    ++i;
  }
  return -1;
}
template <class GraphBuilder>
constexpr int output_index(const name* label) {
  return output_index_in(constant_graph_of<GraphBuilder>, label);
}

/// The same for an output. A builder that leaves some of its model's outputs out says by `shows` which.
template <class GraphBuilder>
constexpr text unknown_output(const name* wanted) {
  text t = unknown_name("output", wanted->view(), output_labels<GraphBuilder>());
  if constexpr (requires { GraphBuilder::builder::shows; })
    if (output_index<lower<typename GraphBuilder::model>>(wanted) >= 0)
      t << ": " << GraphBuilder::builder::shows;
  return t;
}

/// The place of the output of that name; where there is none, the compiler is stopped.
template <class GraphBuilder, name Name>
constexpr int output_index_of() {
  constexpr int index = output_index<GraphBuilder>(&interned<Name>);
  if constexpr (index < 0) {
    constexpr text message = unknown_output<GraphBuilder>(&interned<Name>);
    static_assert(compile_error<sentence_of<message.size>(message)>::reported);
  }
  return index;
}

}  // namespace detail

/// Stands in for an output, or an input of a batch, that is not there, once the compiler has been stopped:
/// what is done with it compiles.
struct no_output {
  using value_type = double;
  double& operator[](std::size_t) const { return *data(); }
  double* data() const { return nullptr; }  // may be written to, as parameters may
  double* begin() const { return nullptr; }
  double* end() const { return nullptr; }
  std::size_t size() const { return 0; }
  array_view<const std::int64_t> extents() const { return {}; }
  std::array<long, 0> shape() const { return {}; }
  no_output as_const() const { return {}; }
  no_output copy() const { return {}; }
  operator double() const { return 0; }
};

}  // namespace tapeless
