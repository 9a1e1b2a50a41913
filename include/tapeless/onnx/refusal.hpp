// SPDX-License-Identifier: BSL-1.0
// Why a model cannot be exported: known while it is compiled.
#pragma once

#include <tapeless/graph/structural/rank_exchange.hpp>
#include <tapeless/onnx/forms.hpp>
#include <tapeless/onnx/graph_view.hpp>
#include <tapeless/onnx/pointwise_writer.hpp>

namespace tapeless::onnx {

/// The nodes that the exported outputs need.
constexpr list<char> needed_nodes(const graph_view& g) {
  list<char> needed;
  list<int> waiting;
  needed.assign(static_cast<int>(g.nodes.size()), 0);
  const auto need = [&](int id) {
    if (needed[id] == 0) waiting.push(id);
    needed[id] = 1;
  };
  for (const graph_output& o : g.exported()) need(o.node);
  for (int w = 0; w < waiting.size(); ++w) {
    const node& n = g.nodes[static_cast<std::size_t>(waiting[w])];
    for (const int operand : written_operands(n)) need(operand);
    if (n.op->kind == family::carry) need(g.carries[static_cast<std::size_t>(carry_number(n))].next);
  }
  return needed;
}

/// Whether a needed node mentions an extent's symbol: in its shape, the place of its elements or its loop's
/// count, or is it as a number.
constexpr bool needs_extent(const graph_view& g, const list<char>& needed, std::int64_t symbol) {
  const auto is_in = [&](std::int64_t e) { return mentions_extent(g.extents, e, -1 - symbol); };
  for (int id = 0; id < needed.size(); ++id) {
    const node& n = g.nodes[static_cast<std::size_t>(id)];
    if (needed[id] == 0) continue;
    for (int i = 0; i < n.rank; ++i)
      if (is_in(n.shape[i])) return true;
    if ((n.op->is(view_kind::slice) || n.op->kind == family::pad) && is_in(slice_of(n).begin)) return true;
    if (n.op->kind == family::size && is_in(extent_of(n))) return true;
    if (n.region > 0 && is_in(g.regions[static_cast<std::size_t>(n.region - 1)].count)) return true;
  }
  return false;
}

/// Whether an input that no output needs becomes one of the file, as an extent is known from it alone.
constexpr bool is_measured(const graph_view& g, const list<char>& needed, int id) {
  const node& n = g.nodes[static_cast<std::size_t>(id)];
  for (int axis = 0; n.op->kind == family::input && axis < n.rank; ++axis)
    if (!extent_table::is_literal(n.shape[axis]) &&
        value_writer::input_with(g, needed, n.shape[axis]).first == id &&
        needs_extent(g, needed, n.shape[axis]))
      return true;
  return false;
}

/// Why a model cannot be exported; empty where it can.
constexpr text refusal_of(const graph_view& g) {
  const auto refusal = [] { return text() << "save_onnx: "; };
  const auto nameless = [&](std::string_view what) {
    return refusal() << "the name of an " << what << " is empty, which ONNX takes for no " << what
                     << "; give it another";
  };
  for (const graph_output& o : g.exported())
    if (o.label != nullptr && o.label->view().empty()) return nameless("output");
  const list<char> needed = needed_nodes(g);
  for (int id = 0; id < needed.size(); ++id) {
    const node& n = g.nodes[static_cast<std::size_t>(id)];
    if (needed[id] == 0 && !is_measured(g, needed, id)) continue;
    if (n.op->kind == family::hyperparameter)
      return refusal()
             << "the outputs depend on random numbers, and ONNX would draw others; make an input of them";
    if (exchange_of(n) != rank_exchange::none || n.op->kind == family::matrix_function ||
        (n.op->kind == family::pointwise && is_unsaid(n.op)))
      return refusal() << "ONNX has no operator for " << n.op->name;
    if (n.op->kind != family::input && n.op->kind != family::parameter) continue;
    if (n.label != nullptr && n.label->view().empty()) return nameless("input");  // parameters have names
    for (const graph_output& o : g.exported()) {
      const std::string_view name = o.label == nullptr ? "output" : o.label->view();
      if (n.label != nullptr && n.label->view() == name)
        return refusal() << "\"" << name << "\" is the name of an output and of "
                         << (n.op->kind == family::input ? "an input" : "a parameter")
                         << ", which ONNX does not tell apart; give one of them another";
    }
  }
  for (std::size_t k = 0; k < g.extents.size(); ++k) {
    const std::int64_t symbol = -1 - static_cast<std::int64_t>(k);
    if (g.extents[k].kind == extent_kind::symbol && value_writer::input_with(g, needed, symbol).first < 0)
      return refusal() << "the run-time extent \"" << g.extents[k].symbol->view()
                       << "\" is no axis of an input, from which ONNX could know it";
  }
  return {};
}

}  // namespace tapeless::onnx
