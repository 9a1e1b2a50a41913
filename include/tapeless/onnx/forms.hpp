// SPDX-License-Identifier: BSL-1.0
// As what a node is written: as itself, or, with the nodes that it is made of, as one larger operator.
#pragma once

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/structural/axis_attributes.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/graph/structural/sliding_windows.hpp>
#include <tapeless/ops/activation/softmax.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/linalg/det.hpp>
#include <tapeless/ops/norm/standardize.hpp>

namespace tapeless::onnx {

enum class form_kind : std::uint8_t {
  node,            // the node itself
  same,            // nothing: it is its input
  gemm,            // inputs a, b and perhaps c: a b + c; flags: which of the first two are transposed
  matmul,          // inputs a [.., m, k], b [k, n]
  biased,          // node `of`, a convolution or its transpose, of inputs x, weight, bias
  softmax,         // of number * input, over the axis
  masked_softmax,  // the same of inputs mask, x; flag: rows may have no element
  log_softmax,     // over the axis
  layer_norm,      // inputs x and perhaps weight, bias, from the axis on; number is added to the variance
  batch_norm,      // inputs x, weight, bias, mean, variance; number is added to the variance
  determinant,     // of the input, square matrices
  reduction,       // node `of`, a reduction, whose axes stay
  mean,            // over the axes of node `of`; flag: these stay
  max_pool,        // of the input
  average_pool,    // of the input
  rows             // inputs x, index: slices of x along the axis; flag: the index is flattened first
};

struct form {
  static constexpr int most = 5;
  form_kind kind = form_kind::node;
  int of = -1;
  int count = 0;
  int inputs[most] = {};
  int axis = 0;
  bool flags[2] = {};
  double number = 0;
  pooling_windows windows;
};

/// A form of the kind with these inputs.
template <class... Ids>
constexpr form make_form(form_kind kind, Ids... inputs) {
  form f;
  f.kind = kind;
  for (const int id : {static_cast<int>(inputs)...}) f.inputs[f.count++] = id;
  return f;
}

/// Whether a node is an alias for which ONNX may have one operator.
constexpr bool is_one_operator(const node& n) {
  return n.op == &softmax_operation::op || n.op == &standardize_operation<true>::op;
}

/// A graph in which patterns are looked for. A pattern is found by building it again from its operands: where
/// the graph holds it already, its own node comes back.
class pattern_graph {
 public:
  TAPELESS_COLD pattern_graph(graph& g, list<int> uses) : g_(g), uses_(std::move(uses)) {
    aliases_.assign(g.nodes.size(), -1);
    for (int id = 0; id < g.nodes.size(); ++id)
      if (is_one_operator(g.nodes[id])) aliases_[g.nodes[id].operands[0]] = id;
  }

  value at(int id) { return {&g_, id}; }
  graph& model() { return g_; }

  /// Whether one node alone reads it.
  bool has_one_reader(value v) const { return v.id >= uses_.size() || uses_[v.id] <= 1; }

  /// The alias that is one operator and stands for v; {} where there is none.
  value operator_of(value v) {
    return v.id < aliases_.size() && aliases_[v.id] >= 0 ? at(aliases_[v.id]) : value{};
  }

  /// Whether what `build` builds is node `id`.
  template <class Build>
  bool is_built(int id, const Build& build) {
    return built_beside(id, build) == id;
  }

  /// What `build` builds, beside node `id`.
  template <class Build>
  int built_beside(int id, const Build& build) {
    g_.region = g_.nodes[id].region;
    g_.rematerialization = g_.nodes[id].rematerialization;
    const value built = build();
    g_.region = g_.rematerialization = 0;
    return built.id;
  }

 private:
  graph& g_;
  list<int> uses_, aliases_;
};

template <class Operation>
constexpr bool is_pointwise(value v) {
  return v.is(operation_of<Operation>);
}

/// What stands behind a view of that kind, or the value itself.
constexpr value behind(view_kind kind, value v) { return v.is(kind) ? v.operand(0) : v; }

/// Whether a node is the determinant of its operand 1.
constexpr bool is_determinant(const node& n) { return n.op == &determinant_operation<true>::op; }

/// The operands that a node is written with: of an alias, which is another value, that one alone.
constexpr array_view<const int> written_operands(const node& n) {
  if (n.op->kind != family::alias) return {n.operands, static_cast<std::size_t>(n.operand_count)};
  return {n.operands + (is_determinant(n) ? 1 : 0), 1};
}

/// The one axis of a set, or -1.
constexpr int only_axis(unsigned axes) {
  for (int i = 0; i < max_rank; ++i)
    if (axes == 1u << i) return i;
  return -1;
}

}  // namespace tapeless::onnx
