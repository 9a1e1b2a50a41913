// SPDX-License-Identifier: BSL-1.0
// A graph's outputs, and all that they need, as the nodes of an ONNX graph: operands before users, loops as
// Scan.
#pragma once

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/onnx/node_writer.hpp>
#include <tapeless/onnx/recognize.hpp>

namespace tapeless::onnx {

/// How many nodes that the outputs need read each node.
TAPELESS_COLD inline list<int> count_readers(const graph& g) {
  list<int> readers, waiting;
  readers.assign(g.nodes.size(), 0);
  const auto read = [&](int id) {
    if (readers[id]++ == 0) waiting.push(id);
  };
  for (const graph_output& o : g.outputs) read(o.node);
  for (int w = 0; w < waiting.size(); ++w) {
    const node& n = g.nodes[waiting[w]];
    for (const int operand : written_operands(n)) read(operand);
    if (n.op->kind == family::carry) read(g.next(waiting[w]));
  }
  return readers;
}

class model_writer {
 public:
  /// Writes all of the graph, which grows by what it takes.
  TAPELESS_COLD explicit model_writer(graph& g) : g_(g), patterns_(g, count_readers(g)), to_(g, needed_) {
    need_all();
    for (int id = 0; id < g_.nodes.size(); ++id)
      if (g_.nodes[id].label != nullptr) to_.set_name(id, std::string(g_.nodes[id].label->view()));
    name_outputs();
    list<int> roots;
    for (const graph_output& o : g_.outputs) roots.push(o.node);
    for (const int id : in_order(0, roots)) write(id);
    finish();
  }

  const graph_parts& parts() { return to_.main(); }

  /// The parameters that are initializers.
  TAPELESS_COLD list<int> parameters() const {
    list<int> all;
    for (int id = 0; id < needed_.size(); ++id)
      if (needed_[id] != 0 && g_.nodes[id].op->kind == family::parameter) all.push(id);
    return all;
  }

 private:
  graph& g_;
  pattern_graph patterns_;
  list<char> needed_;
  value_writer to_;
  list<form> forms_;
  std::vector<std::pair<int, std::string>> results_;  // nodes that are named as an output is

  bool is_needed(int id) const { return id < needed_.size() && needed_[id] != 0; }
  bool is_loop_result(int id) const {
    return g_.nodes[id].op->kind == family::stacked || g_.nodes[id].op->is(view_kind::last);
  }
  int loop_of(int result) const { return g_.nodes[g_.nodes[result].operands[0]].region; }

  TAPELESS_COLD void need_all() {
    list<int> waiting;
    const auto need = [&](int id) {
      if (is_needed(id)) return;
      needed_.resize(g_.nodes.size(), 0);
      needed_[id] = 1;
      waiting.push(id);
    };
    for (const graph_output& o : g_.outputs) need(o.node);
    for (int w = 0; w < waiting.size(); ++w) {
      const int id = waiting[w];
      const form f = form_of(patterns_, id);
      forms_.resize(g_.nodes.size(), {});
      forms_[id] = f;
      for (int k = 0; k < f.count; ++k) need(f.inputs[k]);
      if (g_.nodes[id].op->kind == family::carry) need(g_.next(id));
    }
    needed_.resize(g_.nodes.size(), 0);
    forms_.resize(g_.nodes.size(), {});
  }

  // An output is its node's own name, unless that has another.
  TAPELESS_COLD void name_outputs() {
    for (const graph_output& o : g_.outputs) {
      int id = o.node;
      while (forms_[id].kind == form_kind::same) id = forms_[id].inputs[0];
      bool named = g_.nodes[id].operand_count == 0;
      for (const auto& [node, name] : results_) named = named || node == id;
      if (!named) results_.emplace_back(id, value_writer::output_name(o));
    }
  }
  TAPELESS_COLD std::string result_name(int id) const {
    for (const auto& [node, name] : results_)
      if (node == id) return name;
    return {};
  }

  /// What must be written before node `id`.
  TAPELESS_COLD list<int> requirements(int id) const {
    list<int> all;
    if (g_.nodes[id].op->kind == family::carry || g_.nodes[id].op->is(view_kind::iteration)) return all;
    if (is_loop_result(id)) return from_outside(loop_of(id));
    for (int k = 0; k < forms_[id].count; ++k) all.push(forms_[id].inputs[k]);
    return all;
  }
  /// What a loop's body reads that is not its own.
  TAPELESS_COLD list<int> from_outside(int region) const {
    list<int> all;
    for (int id = 0; id < g_.nodes.size(); ++id) {
      if (!is_needed(id) || g_.nodes[id].region != region) continue;
      for (int k = 0; k < forms_[id].count; ++k)
        if (g_.nodes[forms_[id].inputs[k]].region != region) all.push(forms_[id].inputs[k]);
      if (g_.nodes[id].op->kind != family::carry) continue;
      if (g_.nodes[g_.next(id)].region != region) all.push(g_.next(id));
    }
    return all;
  }

  /// The nodes of a region that the roots need, each behind those that it needs.
  TAPELESS_COLD list<int> in_order(int region, const list<int>& roots) const {
    struct visit {
      int id = -1, next = 0;
      bool operator==(const visit&) const = default;
    };
    list<int> order;
    list<char> seen;
    seen.assign(g_.nodes.size(), 0);
    std::vector<visit> path;
    std::vector<list<int>> needs;
    const auto enter = [&](int id) {
      if (seen[id] != 0 || g_.nodes[id].region != region) return;
      seen[id] = 1;
      path.push_back({id, 0});
      needs.push_back(requirements(id));
    };
    for (const int root : roots) {
      enter(root);
      while (!path.empty()) {
        visit& v = path.back();
        if (v.next < needs.back().size()) {
          enter(needs.back()[v.next++]);
        } else {
          order.push(v.id);
          path.pop_back();
          needs.pop_back();
        }
      }
    }
    return order;
  }

  TAPELESS_COLD void write(int id) {
    if (to_.has_name(id)) return;
    if (is_loop_result(id)) return write_loop(loop_of(id));
    const form f = forms_[id];
    names x;
    for (int k = 0; k < f.count; ++k) x.push_back(to_.name_of(f.inputs[k]));
    const node n = g_.nodes[id];
    to_.set_name(id, write_form(to_, n, f, x, result_name(id)));
  }

  struct loop {
    list<int> carries, elements, results;  // nodes of the body; of the graph
  };
  TAPELESS_COLD loop loop_in(int region) const {
    loop l;
    for (int id = 0; id < g_.nodes.size(); ++id) {
      if (!is_needed(id)) continue;
      const node& n = g_.nodes[id];
      if (is_loop_result(id) && loop_of(id) == region) l.results.push(id);
      if (n.region != region) continue;
      if (n.op->kind == family::carry) l.carries.push(id);
      if (n.op->is(view_kind::iteration)) l.elements.push(id);
    }
    return l;
  }

  // A Scan: carries, then what is taken along the first axis; last carries, then stacks.
  TAPELESS_COLD void write_loop(int region) {
    const loop l = loop_in(region);
    const loop_region r = g_.regions[region - 1];
    names inputs, outputs;
    for (const int id : l.carries) inputs.push_back(to_.name_of(forms_[id].inputs[0]));
    for (const int id : l.elements) inputs.push_back(to_.name_of(forms_[id].inputs[0]));
    if (l.elements.empty()) inputs.push_back(to_.add("ConstantOfShape", {to_.extent(r.count)}));
    const message body = loop_body(region, l);
    for (const int id : l.carries) outputs.push_back(name_of_last(l, id));
    for (const int id : l.results)
      if (g_.nodes[id].op->kind == family::stacked) outputs.push_back(named_result(id, "stacked"));
    const auto elements =
        static_cast<std::size_t>(inputs.size()) - static_cast<std::size_t>(l.carries.size());
    const std::size_t stacks = outputs.size() - static_cast<std::size_t>(l.carries.size());
    attributes with;
    with.set("num_scan_inputs", static_cast<std::int64_t>(elements));
    if (r.reversed) {
      with.set("scan_input_directions", std::vector<std::int64_t>(elements, 1));
      if (stacks > 0) with.set("scan_output_directions", std::vector<std::int64_t>(stacks, 1));
    }
    to_.add_node(node_message("Scan", inputs, outputs, with.set_graph("body", body).fields()));
  }
  TAPELESS_COLD std::string named_result(int id, std::string_view like) {
    std::string name = result_name(id);
    if (name.empty()) name = to_.fresh_name(like);
    to_.set_name(id, name);
    return name;
  }
  TAPELESS_COLD std::string name_of_last(const loop& l, int carry) {
    for (const int id : l.results)
      if (g_.nodes[id].op->is(view_kind::last) && g_.nodes[id].operands[0] == carry)
        return named_result(id, "last");
    return to_.fresh_name("last");
  }

  TAPELESS_COLD message loop_body(int region, const loop& l) {
    graph_parts body;
    graph_parts* const around = to_.write_to(body);
    const auto add_input = [&](int id, std::string_view like) {
      to_.set_name(id, to_.fresh_name(like));
      body.add_input(value_message(to_.name_of(id), g_, g_.nodes[id]));
    };
    for (const int id : l.carries) add_input(id, "carry");
    for (const int id : l.elements) add_input(id, "element");
    if (l.elements.empty()) {
      node number;
      body.add_input(value_message(to_.fresh_name("iteration"), g_, number));
    }
    list<int> roots;
    for (const int id : l.carries) roots.push(g_.next(id));
    for (const int id : l.results) roots.push(g_.nodes[id].operands[0]);
    for (const int id : in_order(region, roots)) write(id);
    const auto add_output = [&](int id, int like) {
      const std::string name = to_.add("Identity", {to_.name_of(id)});
      body.add_output(value_message(name, g_, g_.nodes[like]));
    };
    for (const int id : l.carries) add_output(g_.next(id), id);
    for (const int id : l.results)
      if (g_.nodes[id].op->kind == family::stacked)
        add_output(g_.nodes[id].operands[0], g_.nodes[id].operands[0]);
    to_.write_to(*around);
    return body_message("body", body);
  }

  TAPELESS_COLD void finish() {
    for (const graph_output& o : g_.outputs) {
      const std::string name = value_writer::output_name(o);
      if (to_.name_of(o.node) != name) to_.add("Identity", {to_.name_of(o.node)}, {}, name);
      to_.main().add_output(value_message(name, g_, g_.nodes[o.node]));
    }
    for (int id = 0; id < g_.nodes.size(); ++id) {
      const node& n = g_.nodes[id];
      if (n.op->kind != family::input || (needed_[id] == 0 && !to_.is_measured(id))) continue;
      to_.main().add_input(value_message(n.label->view(), g_, n));
    }
  }
};

}  // namespace tapeless::onnx
