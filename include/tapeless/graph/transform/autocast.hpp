// SPDX-License-Identifier: BSL-1.0
// The graph of a float model with its parameters, activations and gradients stored in another type.
#pragma once

#include <tapeless/graph/structural/copy.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/graph/structural/rank_exchange.hpp>
#include <tapeless/graph/structural/renumber.hpp>

namespace tapeless {

namespace detail {

/// Gives each node of a graph its type in storage, operands before users.
class storage_types {
 public:
  constexpr storage_types(const graph& from, element type, graph& to, list<int>& number)
      : from_(from), type_(type), to_(to), number_(number) {
    next_.assign(from.nodes.size(), -1);
    for (const loop_carry& c : from.carries)
      if (c.carry >= 0) next_[c.carry] = c.next;
    goes_on_in_float_.assign(from.nodes.size(), 0);
    visited_for_.assign(from.nodes.size(), -1);
    reached_from_.assign(from.nodes.size(), -1);
  }

  constexpr void add(int id) {
    node n = from_.nodes[id];
    for (int k = 0; k < n.operand_count; ++k) n.operands[k] = number_[n.operands[k]];
    if (n.op->kind == family::alias) {
      n.type = to_.nodes[n.operands[0]].type;
      if (n.op->expansion != nullptr) n.operands[1] = converted(n.operands[1], n.type, n.region);
      number_.push(n.op->expansion == nullptr ? n.operands[0] : to_.insert(n));
      return;
    }
    const stored_type stored = goes_on_in_float_[id] != 0 ? stored_type{element::f32} : stored_type_of(n);
    if (n.type == element::f32) n.type = stored.type;
    if (stored.converts)
      for (int k = 0; k < n.operand_count; ++k)
        if (is_floating(to_.nodes[n.operands[k]].type))
          n.operands[k] = converted(n.operands[k], n.type, n.region);
    number_.push(to_.insert(n));
    if (next_[id] >= 0 && n.type == element::f32) keep_in_float(id, next_[id]);
  }

  /// Post-condition: a node of that type with the same values, as far as the type goes, for a reader in that
  /// region: what is in front of a loop cannot be added any more when its body is being read.
  constexpr int converted(int id, element type, int region) {
    if (to_.nodes[id].type == type) return id;
    node n = copy_of(to_, id, region);
    n.type = type;
    return to_.insert(n);
  }

 private:
  const graph& from_;
  element type_;
  graph& to_;
  list<int>& number_;  // in `to`
  list<int> next_;     // of `from`: the next value of a node that is a carry, or -1
  list<char> goes_on_in_float_;
  list<int> visited_for_, reached_from_;  // by node, the last carry it was visited for, or depends on

  struct stored_type {
    element type;
    bool converts = false;  // whether the kernels take operands of the result's type only
  };

  // All that leads element by element from a float carry to its next value stays in float: in 16 bits a sum
  // over the iterations would stop growing. The terms themselves are stored as elsewhere.
  constexpr void keep_in_float(int carry, int next) {
    list<int> open;
    open.push(next);
    int first = next;
    for (int i = 0; i < open.size(); ++i) {
      const int id = open[i];
      const node& n = from_.nodes[id];
      if (visited_for_[id] == carry || n.region != from_.nodes[carry].region || !is_element_by_element(n))
        continue;
      visited_for_[id] = carry;
      first = id < first ? id : first;
      for (int k = 0; k < operands_of_elements(n); ++k) open.push(n.operands[k]);
    }
    reached_from_[carry] = carry;
    for (int id = first; id <= next; ++id) {
      if (visited_for_[id] != carry) continue;
      const node& n = from_.nodes[id];
      for (int k = 0; k < operands_of_elements(n); ++k)
        if (reached_from_[n.operands[k]] == carry) reached_from_[id] = carry;
      if (reached_from_[id] == carry) goes_on_in_float_[id] = 1;
    }
  }
  static constexpr bool is_element_by_element(const node& n) {
    return n.type == element::f32 &&
           (n.op->kind == family::pointwise || n.op->kind == family::view || n.op->kind == family::alias);
  }

  // How many operands a node's elements are made of: an alias has those of its first one.
  static constexpr int operands_of_elements(const node& n) {
    return n.op->kind == family::alias ? 1 : n.operand_count;
  }

  // Sums stay in float, and so does what is computed of them alone: statistics, losses.
  constexpr stored_type stored_type_of(const node& n) const {
    switch (n.op->kind) {
      case family::parameter:
        return {is_buffer(n) ? element::f32 : type_};
      case family::product:
      case family::convolution:
      case family::pooling:
      case family::attention:
        return {type_, true};
      case family::gather:
        return {to_.nodes[n.operands[0]].type, true};
      case family::scatter:
      case family::prefix_scan:
      case family::matrix_function:
      case family::fourier:
        return {element::f32, true};
      case family::pointwise:
      case family::concat:
        if (exchange_of(n) == rank_exchange::sum) return {element::f32, true};
        if (n.op == &float_operation) return {element::f32};
        for (int k = 0; k < n.operand_count; ++k)
          if (to_.nodes[n.operands[k]].type == type_) return {type_};
        return {element::f32};
      case family::view:
      case family::pad:
      case family::carry:
      case family::stacked:
        return {to_.nodes[n.operands[0]].type};
      case family::reduction:
        return {adds_up(n.op->as<reduction_kind>()) ? element::f32 : to_.nodes[n.operands[0]].type};
      case family::input:
      case family::state:
      case family::hyperparameter:
      case family::constant:
      case family::size:
      case family::iota:
      case family::overlap:
      case family::sort:
      case family::alias:
        return {element::f32};
    }
    return {element::f32};
  }

  static constexpr bool adds_up(reduction_kind kind) {
    switch (kind) {
      case reduction_kind::sum:
      case reduction_kind::product:
        return true;
      case reduction_kind::largest:
      case reduction_kind::smallest:
        return false;
    }
    return true;
  }
};

}  // namespace detail

/// Copies g into `result`, which is empty: parameters, and what is computed of them element by element or by
/// matrix products, are stored as `type`; sums, running statistics, coordinates and what comes of inputs
/// alone stay in float. Outputs and what effects write keep their types. Aliases are replaced by what they
/// stand for, where that is one thing, so that the result cannot be differentiated. Post-condition: number[i]
/// is the number of g's node i in `result`.
constexpr void autocast(element type, const graph& g, graph& result, list<int>& number) {
  copy_unnumbered(g, result);
  detail::storage_types types(g, type, result, number);
  for (int i = 0; i < g.nodes.size(); ++i) types.add(i);
  copy_renumbered(g, result, [&](int id) { return number[id]; });
  for (int i = 0; i < g.outputs.size(); ++i) {
    int& output = result.outputs[i].node;
    output = types.converted(output, g.nodes[g.outputs[i].node].type, 0);
  }
  for (graph_effect& e : result.effects) e.node = types.converted(e.node, result.nodes[e.target].type, 0);
  for (loop_carry& c : result.carries)
    if (c.carry >= 0)
      c.next = types.converted(c.next, result.nodes[c.carry].type, result.nodes[c.carry].region);
}

}  // namespace tapeless
