// SPDX-License-Identifier: BSL-1.0
// gru<"name", hidden>(x), gru(x, h, ...): gated recurrent units over sequences.
#pragma once

#include <tapeless/expr/pack.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/recurrent/gru_cell.hpp>
#include <tapeless/ops/recurrent/recurrent_network.hpp>

namespace tapeless {

namespace forms {

/// For each time t, from the first on, h = gru_cell(x[t], h, ...) and y[t] = h (Cho et al., 2014): x
/// [time, batch, in], h [batch, hidden], weight_ih [3 hidden, in], weight_hh [3 hidden, hidden], two biases
/// [3 hidden] or none -> y [time, batch, hidden] and the last h: auto [y, h] = gru(...).
/// @formula h = gru_cell(x[t], h), y[t] = h
/// @shapes floating [time, batch, in], h [batch, hidden] -> y [time, batch, hidden] and h
/// @errors recurrent_sequence_input recurrent_sequence_states recurrent_sequence_weights recurrent_dropout
///   recurrent_sequence_operands recurrent_sequence_lengths recurrent_sequence_in_scan
///   recurrent_sequence_in_scan_times
///   results_of_refused_layer
/// @torch torch.nn.GRU
/// @jax flax.linen.RNN(GRUCell)
/// @given x = [[[1]], [[2]]]; h = [[0]]; w = [[1], [1], [1]]; u = [[1], [1], [1]]
/// @example auto [y, last] = tl::gru(x, h, w, u);
/// @gives y = [[[0.2048]], [[0.2813]]]
/// @gives last = [[0.2813]]
template <is_value X, is_value... More>
  requires(sizeof...(More) == 3 || sizeof...(More) == 5)
constexpr std::array<value, 2> gru(X x, More... h_weights_and_biases) {
  return detail::sequence<gru_operation>(x, h_weights_and_biases...);
}
template <layer_operand X, layer_operand... More>
  requires(sizeof...(More) == 3 || sizeof...(More) == 5)
TAPELESS_FACTORY auto gru(X x, More... h_weights_and_biases) {
  return detail::sequence<gru_operation>(x, h_weights_and_biases...);
}

/// The same as a network that owns Name.weight_ih_l0 [3 Hidden, in], Name.weight_hh_l0 [3 Hidden, Hidden],
/// Name.bias_ih_l0 and Name.bias_hh_l0 [3 Hidden]; layers, directions, lengths and the shapes of all h as in
/// rnn: x [time, batch, in] and the first h, or zeros where it is not given -> y [time, batch, Hidden] and
/// the last h.
template <name Name, std::int64_t Hidden, recurrent Options = recurrent{}, is_value X, is_value... More>
  requires(sizeof...(More) <= 2)
constexpr std::array<value, 2> gru(X x, More... h_and_lengths) {
  static_assert(Options.activation == recurrent{}.activation, "tapeless: gru has no activation to choose");
  return sequence_layer<gru_operation, Name, Hidden, Options>::build(x, h_and_lengths...);
}
template <name Name, std::int64_t Hidden, recurrent Options = recurrent{}, layer_operand X,
          layer_operand... More>
  requires(sizeof...(More) <= 2)
TAPELESS_FACTORY auto gru(X x, More... h_and_lengths) {
  static_assert(Options.activation == recurrent{}.activation, "tapeless: gru has no activation to choose");
  return detail::own_sequence<sequence_layer<gru_operation, Name, Hidden, Options>, gru_operation>(
      x, h_and_lengths...);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto gru(const X&... x) {
  if constexpr (requires { forms::gru<A.value...>(x...); }) {
    return forms::gru<A.value...>(x...);
  } else {
    detail::refuse_layer<sentence{"gru<\"gru\", 64>(x)"}, A...>(x...);
    return detail::erroneous_results<2>();
  }
}

}  // namespace tapeless
