// SPDX-License-Identifier: BSL-1.0
// rnn_cell(x, h, ...): a step of a simple recurrent network.
#pragma once

#include <concepts>

#include <tapeless/ops/activation/relu.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/pointwise/tanh.hpp>
#include <tapeless/ops/recurrent/recurrent_cell.hpp>

namespace tapeless {

enum class nonlinearity : std::uint8_t { tanh, relu };

template <nonlinearity F>
struct rnn_operation {
  static constexpr std::string_view name = "rnn_cell";
  static constexpr int gates = 1, states = 1;
  static constexpr bool only_sum = true;
  static constexpr std::array<value, 1> next(const detail::recurrent_step& step) {
    const value sum = step.from_x() + step.from_h();
    return {F == nonlinearity::tanh ? tanh(sum) : relu(sum)};
  }
};

namespace forms {

/// tanh(weight_ih x + bias_ih + weight_hh h + bias_hh), or relu (Elman, 1990): x [.., in], h [.., hidden],
/// weight_ih [hidden, in], weight_hh [hidden, hidden], two biases [hidden] or none -> [.., hidden].
/// @formula h' = tanh(weight_ih x + bias_ih + weight_hh h + bias_hh)
/// @shapes floating [.., in], h [.., hidden] -> [.., hidden]
/// @errors recurrent_cell_input recurrent_cell_state recurrent_cell_weights
/// @torch torch.nn.RNNCell
/// @jax flax.linen.SimpleCell
/// @given x = [1]; h = [0.5]; w = [[1]]; u = [[1]]
/// @gives tl::rnn_cell(x, h, w, u) = [0.9051]
template <nonlinearity F = nonlinearity::tanh, is_value X, is_value... More>
  requires(sizeof...(More) == 3 || sizeof...(More) == 5)
constexpr value rnn_cell(X x, More... h_weights_and_biases) {
  return detail::cell_of_values<rnn_operation<F>>(x, h_weights_and_biases...)[0];
}
template <nonlinearity F = nonlinearity::tanh, layer_operand X, layer_operand... More>
  requires(sizeof...(More) == 3 || sizeof...(More) == 5)
TAPELESS_FACTORY auto rnn_cell(X x, More... h_weights_and_biases) {
  return make<recurrent_cell<rnn_operation<F>>>(x, h_weights_and_biases...);
}

/// The same as a layer that owns Name.weight_ih [Hidden, in], Name.weight_hh [Hidden, Hidden], Name.bias_ih
/// and Name.bias_hh [Hidden]: x [.., in], h [.., Hidden] -> [.., Hidden].
template <name Name, std::int64_t Hidden, nonlinearity F = nonlinearity::tanh,
          std::same_as<bool> auto Bias = true>
constexpr value rnn_cell(is_value auto x, value h) {
  return recurrent_layer<rnn_operation<F>, Name, Hidden, Bias>::build(x, h)[0];
}
template <name Name, std::int64_t Hidden, nonlinearity F = nonlinearity::tanh,
          std::same_as<bool> auto Bias = true>
TAPELESS_FACTORY auto rnn_cell(layer_operand auto x, layer_operand auto h) {
  return make<recurrent_layer<rnn_operation<F>, Name, Hidden, Bias>>(x, h);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto rnn_cell(const X&... x) {
  if constexpr (requires { forms::rnn_cell<A.value...>(x...); }) {
    return forms::rnn_cell<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"rnn_cell<\"cell\", 64>(x, h)"}, A...>(x...);
  }
}

}  // namespace tapeless
