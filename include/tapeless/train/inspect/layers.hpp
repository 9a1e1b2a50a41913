// SPDX-License-Identifier: BSL-1.0
// Which nodes of a program belong to which layer, and to which phase of a step.
//
// A layer is what parameters have in their names before the last dot: fc1.weight and fc1.bias are of fc1. A
// node that reads parameters is of their layer. One that reads none is of the last layer that it is computed
// from: an activation is of the layer before it. One that is computed from inputs alone, such as a dropout's
// mask, is of the layer that reads it. What only the loss needs, and no layer and no named output, is of the
// loss. In the backward pass, what only the gradients of a layer and of those before it need is of that
// layer.
#pragma once

#include <algorithm>
#include <string_view>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/train/inspect/described_program.hpp>
#include <tapeless/train/program/graph_builders.hpp>

namespace tapeless {

/// The phases of a step.
enum class phase : std::uint8_t {
  forward,   // what outputs are computed from
  backward,  // what gradients are computed from beyond that
  update     // the rule, running statistics, and what is known before the step
};

constexpr std::string_view name_of(phase p) {
  constexpr std::string_view names[] = {"forward", "backward", "update"};
  return names[static_cast<int>(p)];
}

/// A program's nodes by phase and by layer. A template, so that compilers pass over it where it is not used.
template <class>
class lazy_program_layers {
 public:
  static constexpr int none = -1;  // of no layer: what is computed from inputs alone, or for all layers

  /// Of names with more parts than `depth`, the first ones make the layer; 0: all but the last one do.
  TAPELESS_COLD explicit lazy_program_layers(const described_program& program, int depth = 0)
      : nodes_(program.nodes), is_weight_(nodes_.size()) {
    const auto count = static_cast<int>(nodes_.size());
    phases_.assign(count, phase::update);
    layers_.assign(count, none);
    read_.assign(count, none);
    find_names(depth);
    find_phases(program);
    find_forward_layers();
    find_layers_of_readers();
    find_loss(program);
    find_backward_layers(program);
  }

  /// In the order in which the model mentions them; behind them the loss, where it is more than a layer.
  const list<std::string_view>& names() const { return names_; }
  phase phase_of(int id) const { return phases_[static_cast<std::size_t>(id)]; }
  int layer_of(int id) const { return layers_[static_cast<std::size_t>(id)]; }
  /// The last of the layers whose parameters a node reads, or none.
  int layer_read_by(int id) const { return read_[static_cast<std::size_t>(id)]; }
  /// Whether a node is a parameter, or computed from parameters and numbers alone.
  bool is_weight(int id) const { return is_weight_[static_cast<std::size_t>(id)]; }

 private:
  array_view<const described_node> nodes_;
  list<phase> phases_;
  list<int> layers_, read_;
  list<bool> is_weight_;
  list<std::string_view> names_;

  // "block.0.attention" of "block.0.attention.weight"; "block.0" where the depth is 2.
  static std::string_view layer_name(std::string_view parameter, int depth) {
    const std::size_t last = parameter.rfind('.');
    if (last == std::string_view::npos) return parameter;
    std::size_t end = last;
    for (std::size_t at = 0, parts = 1; depth > 0 && (at = parameter.find('.', at)) < last; ++at, ++parts)
      if (parts == static_cast<std::size_t>(depth)) end = std::min(end, at);
    return parameter.substr(0, end);
  }

  TAPELESS_COLD void find_names(int depth) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].kind != family::parameter) continue;
      const std::string_view name = layer_name(nodes_[i].label->view(), depth);
      const auto known = std::find(names_.begin(), names_.end(), name);
      read_[i] = layers_[i] = static_cast<int>(known - names_.begin());
      if (known == names_.end()) names_.push(name);
    }
  }

  // Calls take(id) with a node and with all that it is computed from, each once; where it is false, what that
  // one is computed from is passed over.
  template <class Take>
  TAPELESS_COLD void visit(int id, const Take& take) const {
    list<int> waiting;
    list<bool> seen(nodes_.size());
    waiting.push(id);
    while (!waiting.empty()) {
      const auto i = static_cast<std::size_t>(waiting[waiting.size() - 1]);
      waiting.resize(waiting.size() - 1, 0);
      if (seen[i]) continue;
      seen[i] = true;
      if (!take(i)) continue;
      for (int k = 0; k < nodes_[i].operand_count; ++k) waiting.push(nodes_[i].operands[k]);
      if (nodes_[i].next >= 0) waiting.push(nodes_[i].next);
    }
  }

  // What an effect's gradient is: where it is added up, the sum.
  int gradient_of(const graph_effect& e) const {
    const described_node& target = nodes_[static_cast<std::size_t>(e.target)];
    return target.kind == family::state && target.label == &interned<gradient_label> ? e.node : e.gradient;
  }

  TAPELESS_COLD void find_phases(const described_program& program) {
    const auto mark = [&](int id, phase p) {
      visit(id, [&](std::size_t i) {
        const bool is_new = phases_[i] == phase::update;
        if (is_new) phases_[i] = p;
        return is_new;
      });
    };
    for (const graph_output& o : program.outputs()) mark(o.node, phase::forward);
    for (const graph_effect& e : program.effects)
      if (const int gradient = gradient_of(e); gradient >= 0) mark(gradient, phase::backward);
    // What a loop's iterations hand on is copied at their end, and what they keep is where all of it is.
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].region != 0 && nodes_[i].kind == family::pointwise && !nodes_[i].is_arithmetic &&
          phases_[i] == phase::update)
        phases_[i] = phases_[static_cast<std::size_t>(nodes_[i].operands[0])];
  }

  bool is_number(std::size_t i) const { return source_of(nodes_[i].kind) == element_source::number; }

  TAPELESS_COLD void find_forward_layers() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const described_node& n = nodes_[i];
      if (n.kind == family::parameter) is_weight_[i] = true;
      if (n.kind == family::parameter || n.operand_count == 0) continue;
      int before = none;
      bool all_weights = n.kind != family::carry;
      for (int k = 0; k < n.operand_count; ++k) {
        const auto o = static_cast<std::size_t>(n.operands[k]);
        all_weights = all_weights && (is_weight_[o] || is_number(o));
        if (is_weight_[o]) read_[i] = std::max(read_[i], read_[o]);
        before = std::max(before, layers_[o]);
      }
      is_weight_[i] = all_weights && read_[i] != none;
      if (phases_[i] == phase::forward) layers_[i] = read_[i] != none ? read_[i] : before;
      if (phases_[i] == phase::backward) layers_[i] = read_[i];
    }
  }

  TAPELESS_COLD void find_layers_of_readers() {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      if (phases_[i] != phase::forward) continue;
      for (int k = 0; k < nodes_[i].operand_count; ++k) {
        const auto o = static_cast<std::size_t>(nodes_[i].operands[k]);
        if (layers_[o] == none && nodes_[o].operand_count > 0) layers_[o] = layers_[i];
      }
    }
  }

  // What is needed by nothing but the loss: no node that reads parameters is computed from it.
  TAPELESS_COLD void find_loss(const described_program& program) {
    if (program.outputs().empty() || program.outputs()[0].label != nullptr || names_.empty()) return;
    list<bool> needed(nodes_.size());
    const auto need = [&](int id) {
      visit(id, [&](std::size_t i) {
        const bool is_new = !needed[i];
        needed[i] = true;
        return is_new;
      });
    };
    for (std::size_t k = 1; k < program.outputs().size(); ++k) need(program.outputs()[k].node);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (read_[i] != none && phases_[i] == phase::forward) need(static_cast<int>(i));
    const int last = names_.size();
    bool any = false;
    visit(program.outputs()[0].node, [&](std::size_t i) {
      if (needed[i] || nodes_[i].operand_count == 0) return false;
      const bool is_view = nodes_[i].kind == family::view;
      if (is_view && needed[static_cast<std::size_t>(nodes_[i].operands[0])]) return false;
      any = true;
      layers_[i] = last;
      return true;
    });
    if (any) names_.push("loss");
  }

  // From the last layer to the first, each takes what its gradients need and those behind it do not; then
  // what its updates need.
  TAPELESS_COLD void find_backward_layers(const described_program& program) {
    for (const phase now : {phase::backward, phase::update})
      for (int layer = names_.size() - 1; layer >= 0; --layer)
        for (const graph_effect& e : program.effects) {
          if (layer_of_target(e.target) != layer) continue;
          const int end = now == phase::backward ? gradient_of(e) : e.node;
          if (end < 0) continue;
          visit(end, [&](std::size_t i) {
            if (phases_[i] != now || is_number(i)) return false;
            if (layers_[i] == none) layers_[i] = layer;
            return true;
          });
        }
  }
  int layer_of_target(int id) const {
    const described_node& target = nodes_[static_cast<std::size_t>(id)];
    if (target.kind == family::parameter) return layer_of(id);
    for (std::size_t i = 0; target.parameter >= 0 && i < nodes_.size(); ++i)
      if (nodes_[i].kind == family::parameter && nodes_[i].parameter == target.parameter) return layers_[i];
    return none;
  }
};
using program_layers = lazy_program_layers<void>;

}  // namespace tapeless
