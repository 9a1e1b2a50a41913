// SPDX-License-Identifier: BSL-1.0
// lstm_cell(x, h, c, ...): a step of a long short-term memory.
#pragma once

#include <concepts>
#include <tuple>

#include <tapeless/expr/pack.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/pointwise/sigmoid.hpp>
#include <tapeless/ops/pointwise/tanh.hpp>
#include <tapeless/ops/recurrent/recurrent_cell.hpp>

namespace tapeless {

struct lstm_operation {
  static constexpr std::string_view name = "lstm_cell";
  static constexpr int gates = 4, states = 2;
  static constexpr bool only_sum = true;
  static constexpr std::array<value, 2> next(const detail::recurrent_step& step) {
    const value all = step.from_x() + step.from_h();
    const value in = sigmoid(step.part(all, 0)), keep = sigmoid(step.part(all, 1));
    const value fresh = tanh(step.part(all, 2)), out = sigmoid(step.part(all, 3));
    const value c = keep * step.c + in * fresh;
    return {step.next_h(out * tanh(c)), c};
  }
};

namespace detail {

TAPELESS_FACTORY auto h_and_c(layer_operand auto states) {
  return std::tuple(unpack<0>(states), unpack<1>(states));
}

}  // namespace detail

namespace forms {

/// A step of a long short-term memory (Hochreiter and Schmidhuber, 1997; Gers et al., 2000): with
/// weight_ih x + bias_ih + weight_hh h + bias_hh, whose fourths belong to i, f, g and o,
///   c' = sigmoid(f) c + sigmoid(i) tanh(g), h' = sigmoid(o) tanh(c'):
/// x [.., in], h and c [.., hidden], weight_ih [4 hidden, in], weight_hh [4 hidden, hidden], two biases
/// [4 hidden] or none -> h' and c' [.., hidden]: auto [h, c] = lstm_cell(...).
/// @formula c' = sigmoid(f) c + sigmoid(i) tanh(g), h' = sigmoid(o) tanh(c')
/// @shapes floating [.., in], h and c [.., hidden] -> h' and c' [.., hidden]
/// @errors recurrent_cell_input recurrent_cell_state recurrent_cell_weights results_of_refused_layer
/// @torch torch.nn.LSTMCell
/// @jax flax.linen.LSTMCell
/// @given x = [1]; h = [0.5]; c = [0]; w = [[1], [1], [1], [1]]; u = [[1], [1], [1], [1]]
/// @example auto [next_h, next_c] = tl::lstm_cell(x, h, c, w, u);
/// @gives next_h = [0.5144]
/// @gives next_c = [0.74]
template <is_value X, is_value... More>
  requires(sizeof...(More) == 4 || sizeof...(More) == 6)
constexpr std::array<value, 2> lstm_cell(X x, More... states_weights_and_biases) {
  return detail::cell_of_values<lstm_operation>(x, states_weights_and_biases...);
}
template <layer_operand X, layer_operand... More>
  requires(sizeof...(More) == 4 || sizeof...(More) == 6)
TAPELESS_FACTORY auto lstm_cell(X x, More... states_weights_and_biases) {
  return detail::h_and_c(make<recurrent_cell<lstm_operation>>(x, states_weights_and_biases...));
}

/// The same as a layer that owns Name.weight_ih [4 Hidden, in], Name.weight_hh [4 Hidden, Hidden],
/// Name.bias_ih and Name.bias_hh [4 Hidden]: x [.., in], h and c [.., Hidden] -> h' and c' [.., Hidden].
template <name Name, std::int64_t Hidden, std::same_as<bool> auto Bias = true>
constexpr std::array<value, 2> lstm_cell(is_value auto x, value h, value c) {
  return recurrent_layer<lstm_operation, Name, Hidden, Bias>::build(x, h, c);
}
template <name Name, std::int64_t Hidden, std::same_as<bool> auto Bias = true>
TAPELESS_FACTORY auto lstm_cell(layer_operand auto x, layer_operand auto h, layer_operand auto c) {
  return detail::h_and_c(make<recurrent_layer<lstm_operation, Name, Hidden, Bias>>(x, h, c));
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto lstm_cell(const X&... x) {
  if constexpr (requires { forms::lstm_cell<A.value...>(x...); }) {
    return forms::lstm_cell<A.value...>(x...);
  } else {
    detail::refuse_layer<sentence{"lstm_cell<\"cell\", 64>(x, h, c)"}, A...>(x...);
    return detail::erroneous_results<2>();
  }
}

}  // namespace tapeless
