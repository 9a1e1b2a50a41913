// SPDX-License-Identifier: BSL-1.0
// summary(net): a table of the layers, and what a step of them costs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/binding/tag.hpp>
#include <tapeless/train/inspect/described_net.hpp>
#include <tapeless/train/inspect/layers.hpp>
#include <tapeless/train/inspect/text_table.hpp>

namespace tapeless {

struct summary_options {
  int depth = 0;  ///< parts of a parameter's name that make a layer's; 0: all but the last
};

/// What a program computes, in operations: see inspect/work.hpp for what counts.
struct operation_counts {
  extent_polynomial forward, backward, update;

  extent_polynomial& operator[](phase p) {
    return p == phase::forward ? forward : p == phase::backward ? backward : update;
  }
  extent_polynomial all() const { return forward + backward + update; }
};

namespace detail {

/// A line of the table.
struct summarized_layer {
  std::string operations, result;
  std::int64_t parameters = 0, buffers = 0, bytes = 0;
  operation_counts counts;
};

/// "matmul, add, relu": operations that compute, each once, as long as there is room.
TAPELESS_COLD inline void append_operation(std::string& list, std::string_view operation) {
  constexpr std::size_t room = 34;
  const std::string padded = join({", ", list, ","});
  if (padded.find(join({", ", operation, ","})) != std::string::npos) return;
  if (list.size() >= 3 && list.compare(list.size() - 3, 3, "...") == 0) return;
  if (list.size() + operation.size() > room) operation = "...";
  append(list, {list.empty() ? "" : ", ", operation});
}

template <class Lazy = void>
TAPELESS_COLD std::vector<summarized_layer> summarize_layers(const described_program& program,
                                                             const program_layers& layers,
                                                             const known_extents& known) {
  std::vector<summarized_layer> lines(static_cast<std::size_t>(layers.names().size()) +
                                      1);  // the last is of no layer
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    const described_node& n = program.nodes[i];
    const int id = static_cast<int>(i), layer = layers.layer_of(id);
    summarized_layer& line = layer < 0 ? lines.back() : lines[static_cast<std::size_t>(layer)];
    line.counts[layers.phase_of(id)] += extent_polynomial(n.operations, known);
    if (layers.phase_of(id) != phase::forward || source_of(n.kind) != element_source::kernel) continue;
    if (n.kind != family::pointwise || n.is_arithmetic) append_operation(line.operations, n.operation);
    if (layers.layer_read_by(id) == layer && layer >= 0 && !layers.is_weight(id))
      line.result = shape_text(n.shape, n.rank, known);
  }
  return lines;
}

template <class Lazy = void>
TAPELESS_COLD void add_parameters(const described_net& net, const program_layers& layers,
                                  std::vector<summarized_layer>& lines) {
  for (std::size_t i = 0; i < net.program->nodes.size(); ++i) {
    const described_node& n = net.program->nodes[i];
    if (n.kind != family::parameter) continue;
    summarized_layer& line = lines[static_cast<std::size_t>(layers.layer_of(static_cast<int>(i)))];
    for (const parameter_description& p : net.parameters) {
      if (p.label->view() != n.label->view()) continue;
      (p.is_buffer ? line.buffers : line.parameters) += p.count;
      line.bytes += p.bytes();
    }
  }
}

template <class Lazy = void>
TAPELESS_COLD std::string memory_text(const described_net& net, const known_extents& known) {
  if (const name* symbol = unknown_symbol(known))
    return join({"memory of ", net.what, ": depends on ", symbol->view(), ", see summary(net, \"",
                 symbol->view(), "\"_t = 32)\n"});
  const memory_plan m = memory_of(net, known);
  const auto text = [](std::int64_t bytes) { return byte_text(static_cast<double>(bytes)); };
  return join({"memory of ", net.what, ": parameters ", text(m.parameters), ", gradients ", text(m.gradients),
               ", states ", text(m.optimizer), ", activations ", text(m.activations), "; at most ",
               text(m.peak), " at one time\n"});
}

template <class Lazy = void>
TAPELESS_COLD std::string summary_text(const described_net& net, const summary_options& options,
                                       array_view<const bound_extent> extents) {
  if (net.program == nullptr) return {};
  if (options.depth < 0) throw_error({"summary: depth is ", options.depth, "; it must be 0 or more"});
  const known_extents known{net.program->plan->extents, extents};
  check_extents("summary", known);
  const program_layers layers(*net.program, options.depth);
  std::vector<summarized_layer> lines = summarize_layers(*net.program, layers, known);
  add_parameters(net, layers, lines);
  summarized_layer all;
  const bool trains = net.what == "a step";
  const auto row = [&](std::string_view name, const summarized_layer& l) {
    std::vector<std::string> cells{std::string(name),
                                   l.operations,
                                   l.result,
                                   count_text(static_cast<double>(l.parameters + l.buffers)),
                                   byte_text(static_cast<double>(l.bytes)),
                                   polynomial_text(l.counts.forward, known)};
    if (trains) cells.push_back(polynomial_text(l.counts.backward, known));
    if (trains) cells.push_back(polynomial_text(l.counts.update, known));
    return cells;
  };
  text_table table(trains ? "lllrrrrr" : "lllrrr");
  std::vector<std::string> head{"layer", "operations", "result", "parameters", "bytes", "forward"};
  if (trains) head.insert(head.end(), {"backward", "update"});
  table.add(head);
  table.add_line();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const summarized_layer& l = lines[i];
    all.parameters += l.parameters;
    all.buffers += l.buffers;
    all.bytes += l.bytes;
    all.counts.forward += l.counts.forward;
    all.counts.backward += l.counts.backward;
    all.counts.update += l.counts.update;
    const bool is_layer = i + 1 < lines.size();
    const extent_polynomial sum = l.counts.all();
    if (is_layer || !sum.is_constant() || sum.constant() != 0)
      table.add(row(is_layer ? layers.names()[i] : "(others)", l));
  }
  table.add_line();
  table.add(row("all", all));
  std::string text = table.text();
  if (all.buffers > 0)
    append(text, {"of the parameters, ", count_text(static_cast<double>(all.buffers)),
                  " are running statistics, which no rule changes\n"});
  append(text, {"operations of ", net.what, ": ", polynomial_text(all.counts.all(), known), "\n"});
  if (net.apply != nullptr) {
    extent_polynomial update;
    const known_extents of_apply{net.apply->plan->extents, extents};
    for (const described_node& n : net.apply->nodes) update += extent_polynomial(n.operations, of_apply);
    append(text, {"operations of an update, after several steps: ", polynomial_text(update, of_apply), "\n"});
  }
  return text + memory_text(net, known);
}

/// Extents that are given by name.
template <class... Bindings>
std::array<bound_extent, sizeof...(Bindings)> extents_given(const Bindings&... b) {
  return {bound_extent{Bindings::label, b.extent()}...};
}

}  // namespace detail

/// What a program computes: the sum over the nodes of its graph.
template <class Lazy = void>
TAPELESS_COLD operation_counts count_operations(const described_program& program,
                                                array_view<const bound_extent> extents = {}) {
  const known_extents known{program.plan->extents, extents};
  const program_layers layers(program);
  operation_counts counts;
  for (std::size_t i = 0; i < program.nodes.size(); ++i)
    counts[layers.phase_of(static_cast<int>(i))] += extent_polynomial(program.nodes[i].operations, known);
  return counts;
}

/// A table of a trainer's or function's layers: what they compute, the shape of their result, parameters and
/// their bytes, and the operations of a step. Below it, what a step takes in all: operations, and memory.
///
/// Layers are told apart by the names of parameters, up to the last dot, or up to dot number `depth`. What
/// reads no parameter is shown with the layer before it. An operation on one element counts as one; matrix
/// products count multiplications and additions. Where extents are known at run time only, numbers are given
/// in terms of them, or for the values that are bound: summary(net, "batch"_t = 32).
///
/// Throws an error where there is no run-time extent of that name.
template <class Net, class... Extents>
TAPELESS_WARM std::string summary(const Net&, const summary_options& options, const Extents&... extents) {
  constexpr described_net net = detail::describe_net<Net>();
  return detail::summary_text(net, options, detail::extents_given(extents...));
}
template <class Net, class... Extents>
  requires(is_binding<Extents> && ...)
std::string summary(const Net& net, const Extents&... extents) {
  return summary(net, summary_options(), extents...);
}

}  // namespace tapeless
