// SPDX-License-Identifier: BSL-1.0
// A program as people want to read it: its graph's nodes and its plan's operations by name. The operations
// themselves are not in it, so their derivatives' code stays in the compiler. Sizes are not in the type, so
// what reads it is compiled once.
#pragma once

#include <array>

#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/train/inspect/work.hpp>

namespace tapeless {

/// A node of a program's graph.
struct described_node {
  std::string_view operation;
  family kind = family::constant;
  element type = element::f32;
  bool is_buffer = false;
  bool is_arithmetic = false;
  int rank = 0;
  int operand_count = 0;
  int operands[max_operands] = {};
  std::int64_t shape[max_rank] = {};
  const name* label = nullptr;
  double number = 0;
  int region = 0;
  int parameter = -1;  // its number; of a state, that of its parameter
  int next = -1;       // of a carry: what the next iteration gets
  work operations;
};

/// A program: its graph, and its plan.
struct described_program {
  const plan_view* plan = nullptr;
  array_view<const described_node> nodes;
  array_view<const graph_effect> effects;
  array_view<const described_operation> instructions;  // by the plan's instructions
  array_view<const described_operation> reductions;    // by the plan's stores

  constexpr array_view<const graph_output> outputs() const { return plan->outputs; }
};

namespace detail {

template <class Graph>
constexpr described_node describe_node(const Graph& g, const node& n) {
  described_node d{.operation = n.op->is(view_kind::iteration) ? "iteration" : n.op->name,
                   .kind = n.op->kind,
                   .type = n.type,
                   .is_buffer = is_buffer(n),
                   .is_arithmetic = is_arithmetic(n.op),
                   .rank = n.rank,
                   .operand_count = n.operand_count,
                   .label = n.label,
                   .number = n.number,
                   .region = n.region,
                   .operations = operations_of(g, n)};
  for (int k = 0; k < n.operand_count; ++k) d.operands[k] = n.operands[k];
  for (int k = 0; k < n.rank; ++k) d.shape[k] = n.shape[k];
  if (n.op->kind == family::parameter) d.parameter = parameter_number(n);
  if (n.op->kind == family::state) d.parameter = parameter_of_state(n);
  if (n.op->kind == family::carry) d.next = g.carries[static_cast<std::size_t>(carry_number(n))].next;
  return d;
}

template <class GraphBuilder>
constexpr auto describe_nodes() {
  constexpr auto& g = constant_graph_of<GraphBuilder>;
  std::array<described_node, g.nodes.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = describe_node(g, g.nodes[i]);
  return all;
}
template <class GraphBuilder>
constexpr auto describe_instructions() {
  constexpr auto& p = plan_of<GraphBuilder>;
  std::array<described_operation, p.instructions.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = describe_operation(p.instructions[i].op);
  return all;
}
template <class GraphBuilder>
constexpr auto describe_reductions() {
  constexpr auto& p = plan_of<GraphBuilder>;
  std::array<described_operation, p.stores.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = describe_operation(p.stores[i].reduction);
  return all;
}

template <class GraphBuilder>
inline constexpr auto described_nodes_of = describe_nodes<GraphBuilder>();
template <class GraphBuilder>
inline constexpr auto described_instructions_of = describe_instructions<GraphBuilder>();
template <class GraphBuilder>
inline constexpr auto described_reductions_of = describe_reductions<GraphBuilder>();
template <class GraphBuilder>
inline constexpr auto effects_of = constant_graph_of<GraphBuilder>.effects;

}  // namespace detail

/// The program of a graph builder.
template <class GraphBuilder>
inline constexpr described_program description_of = {
    .plan = &view_of_plan<GraphBuilder>(),
    .nodes = detail::described_nodes_of<GraphBuilder>,
    .effects = detail::effects_of<GraphBuilder>,
    .instructions = detail::described_instructions_of<GraphBuilder>,
    .reductions = detail::described_reductions_of<GraphBuilder>};

}  // namespace tapeless
