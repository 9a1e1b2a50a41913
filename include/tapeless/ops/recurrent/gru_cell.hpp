// SPDX-License-Identifier: BSL-1.0
// gru_cell(x, h, ...): a step of a gated recurrent unit.
#pragma once

#include <concepts>

#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/pointwise/sigmoid.hpp>
#include <tapeless/ops/pointwise/tanh.hpp>
#include <tapeless/ops/recurrent/recurrent_cell.hpp>

namespace tapeless {

struct gru_operation {
  static constexpr std::string_view name = "gru_cell";
  static constexpr int gates = 3, states = 1;
  static constexpr bool only_sum = false;
  static constexpr std::array<value, 1> next(const detail::recurrent_step& step) {
    const value a = step.from_x(), b = step.from_h();
    const value reset = sigmoid(step.part(a, 0) + step.part(b, 0));
    const value keep = sigmoid(step.part(a, 1) + step.part(b, 1));
    const value fresh = tanh(step.part(a, 2) + reset * step.part(b, 2));
    return {fresh + keep * (step.h - fresh)};
  }
};

namespace forms {

/// A step of a gated recurrent unit (Cho et al., 2014, in the form of cuDNN and PyTorch): with
/// a = weight_ih x + bias_ih and b = weight_hh h + bias_hh, whose thirds belong to r, z and n,
///   r = sigmoid(a_r + b_r), z = sigmoid(a_z + b_z), n = tanh(a_n + r b_n), h' = (1 - z) n + z h:
/// x [.., in], h [.., hidden], weight_ih [3 hidden, in], weight_hh [3 hidden, hidden], two biases [3 hidden]
/// or none -> [.., hidden].
/// @formula r = sigmoid(a_r + b_r), z = sigmoid(a_z + b_z), n = tanh(a_n + r b_n), h' = (1 - z) n + z h
/// @shapes floating [.., in], h [.., hidden] -> [.., hidden]
/// @errors recurrent_cell_input recurrent_cell_state recurrent_cell_weights
/// @torch torch.nn.GRUCell
/// @jax flax.linen.GRUCell
/// @given x = [1]; h = [0.5]; w = [[1], [1], [1]]; u = [[1], [1], [1]]
/// @gives tl::gru_cell(x, h, w, u) = [0.5706]
template <is_value X, is_value... More>
  requires(sizeof...(More) == 3 || sizeof...(More) == 5)
constexpr value gru_cell(X x, More... h_weights_and_biases) {
  return detail::cell_of_values<gru_operation>(x, h_weights_and_biases...)[0];
}
template <layer_operand X, layer_operand... More>
  requires(sizeof...(More) == 3 || sizeof...(More) == 5)
TAPELESS_FACTORY auto gru_cell(X x, More... h_weights_and_biases) {
  return make<recurrent_cell<gru_operation>>(x, h_weights_and_biases...);
}

/// The same as a layer that owns Name.weight_ih [3 Hidden, in], Name.weight_hh [3 Hidden, Hidden],
/// Name.bias_ih and Name.bias_hh [3 Hidden]: x [.., in], h [.., Hidden] -> [.., Hidden].
template <name Name, std::int64_t Hidden, std::same_as<bool> auto Bias = true>
constexpr value gru_cell(is_value auto x, value h) {
  return recurrent_layer<gru_operation, Name, Hidden, Bias>::build(x, h)[0];
}
template <name Name, std::int64_t Hidden, std::same_as<bool> auto Bias = true>
TAPELESS_FACTORY auto gru_cell(layer_operand auto x, layer_operand auto h) {
  return make<recurrent_layer<gru_operation, Name, Hidden, Bias>>(x, h);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto gru_cell(const X&... x) {
  if constexpr (requires { forms::gru_cell<A.value...>(x...); }) {
    return forms::gru_cell<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"gru_cell<\"cell\", 64>(x, h)"}, A...>(x...);
  }
}

}  // namespace tapeless
