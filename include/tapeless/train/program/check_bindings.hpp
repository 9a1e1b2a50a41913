// SPDX-License-Identifier: BSL-1.0
// What can be wrong with a call's bindings and is known while compiling: names, types of elements, and how
// many there are.
#pragma once

#include <tapeless/graph/structural/mark_needed.hpp>
#include <tapeless/train/binding/bound_names.hpp>
#include <tapeless/train/program/graph_builders.hpp>
#include <tapeless/train/program/output_names.hpp>

namespace tapeless::detail {

template <class Model>
constexpr bool model_has_input(const name* label) {
  for (const node& n : constant_graph_of<lower<Model>>.nodes)
    if (n.op->kind == family::input && n.label == label) return true;
  return false;
}

template <class Model>
constexpr bool model_has_symbol(const name* label) {
  for (const derived_extent& e : constant_graph_of<lower<Model>>.extents)
    if (e.kind == extent_kind::symbol && e.symbol == label) return true;
  return false;
}

template <class Model>
constexpr auto bindable_labels() {
  constexpr auto& g = constant_graph_of<lower<Model>>;
  std::array<const name*, g.nodes.size()> labels{};
  for (std::size_t i = 0; i < g.nodes.size(); ++i)
    if (g.nodes[i].op->kind == family::input) labels[i] = g.nodes[i].label;
  return labels;
}

/// The names that a call binds, in order.
template <class... Bindings>
constexpr auto all_bound_names() {
  std::array<bound_name, (bound_names_of<Bindings>.size() + ... + 0)> all{};
  std::size_t count = 0;
  [[maybe_unused]] const auto append = [&](const auto& names) {
    for (const bound_name& b : names) all[count++] = b;
  };
  (append(bound_names_of<Bindings>), ...);
  return all;
}

constexpr const bound_name* find_bound(const auto& bound, const name* label) {
  for (const bound_name& b : bound)
    if (b.label == label) return &b;
  return nullptr;
}

/// An input's type and shape: float[batch, 3].
template <class GraphBuilder>
constexpr text type_text(const node& n) {
  text t;
  t << name_of(n.type) << "[";
  for (int d = 0; d < n.rank; ++d) {
    t << (d > 0 ? ", " : "");
    if (n.shape[d] >= 0) {
      t << n.shape[d];
    } else {
      const name* symbol =
          constant_graph_of<GraphBuilder>.extents[static_cast<std::size_t>(-1 - n.shape[d])].symbol;
      t << (symbol == nullptr ? "?" : symbol->view());
    }
  }
  return t << "]";
}

/// An input as a sentence names it: "x" float[batch, 3].
template <class GraphBuilder>
constexpr text input_text(const node& n) {
  return text() << "\"" << n.label->view() << "\" " << type_text<GraphBuilder>(n).view();
}

/// What is bound, where it is known while compiling that it does not have an input's shape; else nothing.
constexpr text wrong_elements(const node& n, const bound_name& b) {
  std::int64_t count = 1;
  bool is_same = b.rank == n.rank;
  for (int d = 0; d < n.rank; ++d) {
    if (n.shape[d] < 0) return {};  // known at run time
    count *= n.shape[d];
    is_same = is_same && b.shape[static_cast<std::size_t>(d)] == n.shape[d];
  }
  if (b.rank == 0 || is_same || (b.rank == 1 && b.shape[0] == count)) return {};
  if (b.rank == 1) return text() << b.shape[0] << (b.shape[0] == 1 ? " element" : " elements");
  text t;
  for (int d = 0; d < b.rank; ++d) t << (d > 0 ? ", " : "[") << b.shape[static_cast<std::size_t>(d)];
  return t << "]";
}

/// Of named outputs, as predict has them, up to four that need no other inputs than those, and no loop;
/// nothing where an output has no name, a loss.
template <class GraphBuilder>
constexpr text outputs_of_inputs(const auto& bound) {
  list<bool> lacks;
  for (const node& n : constant_graph_of<GraphBuilder>.nodes) {
    bool any =
        n.op->kind == family::carry || (n.op->kind == family::input && find_bound(bound, n.label) == nullptr);
    for (int k = 0; k < n.operand_count; ++k) any |= lacks[n.operands[k]];
    lacks.push(any);
  }
  text all;
  int count = 0;
  for (const graph_output& o : constant_graph_of<GraphBuilder>.outputs) {
    if (o.label == nullptr) return {};
    if (!lacks[o.node] && count++ < 4) all << (all.empty() ? "\"" : ", \"") << o.label->view() << "\"";
  }
  return all;
}

/// Whether the program trains by the loss, output 0, and computes all other outputs beside it.
template <class GraphBuilder>
inline constexpr bool trains_with_all_outputs = false;
template <class GraphBuilder>
  requires requires { typename GraphBuilder::builder; }
inline constexpr bool trains_with_all_outputs<GraphBuilder> =
    !requires { GraphBuilder::builder::adds_nothing; } && !requires { GraphBuilder::builder::shows; };

/// The named outputs that need an input which is not bound, where the loss, output 0, needs none such; else
/// nothing.
template <class Model>
constexpr text outputs_that_lack_inputs(const auto& bound) {
  graph g;
  load_graph(g, constant_graph_of<lower<Model>>);
  text all;
  for (int i = 0; i < g.outputs.size(); ++i) {
    list<char> needed;
    needed.assign(g.nodes.size(), 0);
    mark_needed(g, g.outputs[i].node, needed);
    bool lacks = false;
    for (int k = 0; k < g.nodes.size(); ++k)
      lacks |= needed[k] != 0 && g.nodes[k].op->kind == family::input &&
               find_bound(bound, g.nodes[k].label) == nullptr;
    if (!lacks) continue;
    if (g.outputs[i].label == nullptr) return {};
    all << (all.empty() ? "\"" : ", \"") << g.outputs[i].label->view() << "\"";
  }
  return all;
}

/// What is wrong with the names and types of bindings, as a sentence.
template <class Model, class GraphBuilder, class... Bindings>
constexpr text binding_problem() {
  constexpr auto bound = all_bound_names<Bindings...>();
  for (const bound_name& b : bound) {
    if (!model_has_input<Model>(b.label) && !model_has_symbol<Model>(b.label))
      return unknown_name("input", b.label->view(), bindable_labels<Model>());
    if (find_bound(bound, b.label) != &b) return text() << "\"" << b.label->view() << "\" is bound twice";
  }
  text missing;
  for (const int id : plan_of<GraphBuilder>.inputs) {
    const node& n = constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(id)];
    const bound_name* b = find_bound(bound, n.label);
    if (b == nullptr) {
      missing << (missing.empty() ? "" : ", ") << input_text<GraphBuilder>(n).view();
    } else if (b->is_extent) {
      return text() << "input \"" << n.label->view() << "\" expects elements of type " << name_of(n.type)
                    << ", but got a number of a type that no element has";
    } else if (b->type != element::number && b->type != n.type &&
               !(b->is_number && number_becomes(b->type, n.type))) {
      return text() << "input \"" << n.label->view() << "\" expects elements of type " << name_of(n.type)
                    << ", but got " << name_of(b->type);
    } else if (const text wrong = wrong_elements(n, *b); !wrong.empty()) {
      return text() << "input \"" << n.label->view() << "\" expects " << type_text<GraphBuilder>(n).view()
                    << ", but got " << (b->rank > 1 ? name_of(b->type) : "") << wrong.view();
    }
  }
  if (missing.empty()) return {};
  text t;
  t << "not bound: " << missing.view() << "; bound: ";
  for (const bound_name& b : bound) t << (&b == bound.data() ? "\"" : ", \"") << b.label->view() << "\"";
  if (bound.empty()) t << "nothing";
  if (const text outputs = outputs_of_inputs<GraphBuilder>(bound); !outputs.empty())
    t << "; tl::function f{tl::only<" << outputs.view() << ">(model), tl::weights(net)} needs no more";
  if constexpr (trains_with_all_outputs<GraphBuilder>)
    if (const text outputs = outputs_that_lack_inputs<Model>(bound); !outputs.empty())
      t << "; a step computes all outputs, and needs more for " << outputs.view()
        << " than for the loss: train a model of outputs(loss) alone, and let tl::function "
           "f{model, tl::weights(net)} compute the others";
  return t;
}

}  // namespace tapeless::detail
