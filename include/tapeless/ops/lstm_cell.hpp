// SPDX-License-Identifier: BSL-1.0
// lstm_cell(x, h, c, ...): a step of a long short-term memory.
#pragma once

#include <array>
#include <tuple>

#include <tapeless/ops/recurrent_cell.hpp>

namespace tapeless {

/// The new h and c.
struct lstm_rule {
  static constexpr std::string_view name = "lstm_cell";
  static constexpr int gates = 4;
  static constexpr std::array<value, 2> next(const detail::recurrent_step& step) {
    if (!step.check()) return {step.x, step.x};
    const value all = step.from_x() + step.from_h();
    const value in = sigmoid(step.part(all, 0)), keep = sigmoid(step.part(all, 1));
    const value fresh = tanh(step.part(all, 2)), out = sigmoid(step.part(all, 3));
    const value c = keep * step.c + in * fresh;
    return {out * tanh(c), c};
  }
};

namespace detail {

constexpr node_list both(const std::array<value, 2>& states) {
  node_list l = node_list::only(states[0]);
  l.append(node_list::only(states[1]));
  return l;
}

/// One of a cell's several values.
template <int I>
struct picked_cell {
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    return node_list::only({&g, x.ids[I]});
  }
};

constexpr auto states_of(expression_operand auto two_values) {
  return std::make_tuple(make<picked_cell<0>>(two_values), make<picked_cell<1>>(two_values));
}

}  // namespace detail

/// The cell of a step with its weights and biases given; its values are the new h and c.
struct lstm_cell_with_operands {
  static constexpr std::string_view name = lstm_rule::name;
  static constexpr int arity = -1;
  static constexpr std::array<value, 2> build(value x, value h, value c, value weight_ih, value weight_hh,
                                              value bias_ih = {}, value bias_hh = {}) {
    return lstm_rule::next({name, lstm_rule::gates, x, h, c, weight_ih, weight_hh, bias_ih, bias_hh});
  }
  static constexpr node_list build_all(graph& g, const node_list& v) {
    const auto operand = [&](int i) { return i < v.count ? value{&g, v.ids[i]} : value{}; };
    return detail::both(
        build(operand(0), operand(1), operand(2), operand(3), operand(4), operand(5), operand(6)));
  }
};

/// The same with parameters of its own.
template <name Name, std::int64_t Hidden, bool Bias>
struct lstm_layer {
  static constexpr std::string_view name = lstm_rule::name;
  static constexpr int arity = -1;
  static constexpr std::array<value, 2> build(value x, value h, value c) {
    detail::recurrent_step step{.cell = name, .gates = lstm_rule::gates, .x = x, .h = h, .c = c};
    if (!detail::add_recurrent_parameters<Name, Hidden, Bias>(step)) return {x, x};
    return lstm_rule::next(step);
  }
  static constexpr node_list build_all(graph& g, const node_list& v) {
    return detail::both(build({&g, v.ids[0]}, {&g, v.ids[1]}, {&g, v.ids[2]}));
  }
};

/// A step of a long short-term memory (Hochreiter and Schmidhuber, 1997; Gers et al., 2000): with
/// weight_ih x + bias_ih + weight_hh h + bias_hh, whose fourths belong to i, f, g and o,
///   c' = sigmoid(f) c + sigmoid(i) tanh(g), h' = sigmoid(o) tanh(c'):
/// x [.., in], h and c [.., hidden], weight_ih [4 hidden, in], weight_hh [4 hidden, hidden], two biases
/// [4 hidden] or none -> h' and c' [.., hidden]: auto [h, c] = lstm_cell(...).
template <is_value X, is_value... More>
  requires(sizeof...(More) == 4 || sizeof...(More) == 6)
constexpr std::array<value, 2> lstm_cell(X x, More... states_weights_and_biases) {
  return lstm_cell_with_operands::build(x, states_weights_and_biases...);
}
template <expression_operand X, expression_operand... More>
  requires(sizeof...(More) == 4 || sizeof...(More) == 6)
constexpr auto lstm_cell(X x, More... states_weights_and_biases) {
  return detail::states_of(make<lstm_cell_with_operands>(x, states_weights_and_biases...));
}

/// The same as a layer that owns Name.weight_ih [4 Hidden, in], Name.weight_hh [4 Hidden, Hidden],
/// Name.bias_ih and Name.bias_hh [4 Hidden]: x [.., in], h and c [.., Hidden] -> h' and c' [.., Hidden].
template <name Name, std::int64_t Hidden, bool Bias = true>
constexpr std::array<value, 2> lstm_cell(is_value auto x, value h, value c) {
  return lstm_layer<Name, Hidden, Bias>::build(x, h, c);
}
template <name Name, std::int64_t Hidden, bool Bias = true>
constexpr auto lstm_cell(expression_operand auto x, expression_operand auto h, expression_operand auto c) {
  return detail::states_of(make<lstm_layer<Name, Hidden, Bias>>(x, h, c));
}

}  // namespace tapeless
