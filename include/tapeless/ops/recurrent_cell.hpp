// SPDX-License-Identifier: BSL-1.0
// What the cells of recurrent networks share: their operands, named parameters, and the parts of a step that
// are products.
#pragma once

#include <tapeless/ops/linear.hpp>

namespace tapeless {

namespace detail {

/// What a step of a cell is made of. `gates` blocks of rows lie end to end in the weights and the biases.
struct recurrent_step {
  std::string_view cell;
  int gates = 1;
  value x = {}, h = {}, c = {};  // c: an LSTM's memory
  value weight_ih = {}, weight_hh = {}, bias_ih = {}, bias_hh = {};

  /// What x and h contribute to all gates: [.., gates hidden].
  constexpr value from_x() const { return product(x, weight_ih, bias_ih); }
  constexpr value from_h() const { return product(h, weight_hh, bias_hh); }

  /// Part `gate` of a value of all gates.
  constexpr value part(value all, int gate) const {
    extent_table& extents = x.owner->extents;
    const std::int64_t hidden = h.get().shape[h.rank() - 1];
    return slice(all, all.rank() - 1, extents.multiply(hidden, gate), 1, hidden);
  }

  /// Whether the operands fit; otherwise the graph has the error.
  constexpr bool check() const {
    if (fit()) return true;
    text t;
    t << cell << " got x " << name_of(x.type());
    x.owner->describe_shape(t, x.get());
    add(t, ", h ", h);
    if (c.exists()) add(t, ", c ", c);
    add(t, ", weights ", weight_ih);
    add(t, " and ", weight_hh);
    if (bias_ih.exists()) {
      add(t, ", biases ", bias_ih);
      add(t, " and ", bias_hh);
    }
    const std::string_view rows = gates == 1 ? "[hidden" : gates == 3 ? "[3 hidden" : "[4 hidden";
    t << ": it takes x [.., in], " << (c.exists() ? "h and c [.., hidden], " : "h [.., hidden], ")
      << "weights " << rows << ", in] and " << rows << ", hidden]";
    if (bias_ih.exists()) t << " and two biases " << rows << "]";
    x.fail(t << " of one floating type");
    return false;
  }

 private:
  static constexpr value product(value v, value weight, value bias) {
    return bias.exists() ? linear(v, weight, bias) : linear(v, weight);
  }

  static constexpr void add(text& t, std::string_view what, value v) {
    t << what << name_of(v.type());
    v.owner->describe_shape(t, v.get());
  }

  constexpr bool fit() const {
    if (x.rank() == 0 || x.rank() != h.rank() || !is_floating(x.type())) return false;
    for (const value& v : {h, c, weight_ih, weight_hh, bias_ih, bias_hh})
      if (v.exists() && v.type() != x.type()) return false;
    const int last = x.rank() - 1;
    const std::int64_t in = x.get().shape[last], hidden = h.get().shape[last];
    shape_list state = shape_of(x);
    state.extents[last] = hidden;
    const std::int64_t rows = x.owner->extents.multiply(hidden, gates);
    const shape_list ih{2, {rows, in}}, hh{2, {rows, hidden}}, bias{1, {rows}};
    return shape_of(h) == state && (!c.exists() || shape_of(c) == state) && shape_of(weight_ih) == ih &&
           shape_of(weight_hh) == hh &&
           (!bias_ih.exists() || (shape_of(bias_ih) == bias && shape_of(bias_hh) == bias));
  }
};

/// Gives a step the parameters Name.weight_ih [gates Hidden, in], Name.weight_hh [gates Hidden, Hidden],
/// Name.bias_ih and Name.bias_hh [gates Hidden], which start uniformly in
/// [-1 / sqrt(Hidden), 1 / sqrt(Hidden)]; false where x has no such extent.
template <name Name, std::int64_t Hidden, bool Bias>
constexpr bool add_recurrent_parameters(recurrent_step& step) {
  static_assert(Hidden > 0, "tapeless: a recurrent cell has one hidden feature or more");
  const value x = step.x;
  graph& g = *x.owner;
  if (x.rank() == 0 || !is_floating(x.type()) || !extent_table::is_literal(x.get().shape[x.rank() - 1])) {
    text t;
    t << step.cell << "<\"" << Name.view() << "\"> got x " << name_of(x.type());
    g.describe_shape(t, x.get());
    x.fail(t << ": it takes floating x [.., in], where in is an integer");
    return false;
  }
  const initializer start = uniform(1 / square_root(static_cast<double>(Hidden)));
  const std::int64_t rows = step.gates * Hidden, in = x.get().shape[x.rank() - 1];
  step.weight_ih = make_parameter(g, &interned<Name + ".weight_ih">, x.type(), {2, {rows, in}}, start);
  step.weight_hh = make_parameter(g, &interned<Name + ".weight_hh">, x.type(), {2, {rows, Hidden}}, start);
  if constexpr (Bias) {
    step.bias_ih = make_parameter(g, &interned<Name + ".bias_ih">, x.type(), {1, {rows}}, start);
    step.bias_hh = make_parameter(g, &interned<Name + ".bias_hh">, x.type(), {1, {rows}}, start);
  }
  return true;
}

}  // namespace detail

/// The cell of a recurrent step that has one state, with its weights and biases given; Rule has
///   name, gates
///   next(step)      the new state
template <class Rule>
struct recurrent_cell {
  static constexpr std::string_view name = Rule::name;
  static constexpr int arity = -1;
  static constexpr value build(value x, value h, value weight_ih, value weight_hh, value bias_ih = {},
                               value bias_hh = {}) {
    const detail::recurrent_step step{Rule::name, Rule::gates, x,       h,      {},
                                      weight_ih,  weight_hh,   bias_ih, bias_hh};
    return step.check() ? Rule::next(step) : x;
  }
  static constexpr node_list build_all(graph& g, const node_list& v) {
    const auto operand = [&](int i) { return i < v.count ? value{&g, v.ids[i]} : value{}; };
    return node_list::only(build(operand(0), operand(1), operand(2), operand(3), operand(4), operand(5)));
  }
};

/// The same with parameters of its own.
template <class Rule, name Name, std::int64_t Hidden, bool Bias>
struct recurrent_layer {
  static constexpr std::string_view name = Rule::name;
  static constexpr int arity = 2;
  static constexpr value build(value x, value h) {
    detail::recurrent_step step{.cell = Rule::name, .gates = Rule::gates, .x = x, .h = h};
    return detail::add_recurrent_parameters<Name, Hidden, Bias>(step) && step.check() ? Rule::next(step) : x;
  }
};

}  // namespace tapeless
