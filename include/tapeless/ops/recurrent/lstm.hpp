// SPDX-License-Identifier: BSL-1.0
// lstm<"name", hidden>(x), lstm(x, h, c, ...): a long short-term memory over sequences.
#pragma once

#include <tapeless/expr/pack.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/recurrent/lstm_cell.hpp>
#include <tapeless/ops/recurrent/recurrent_network.hpp>

namespace tapeless {

namespace forms {

/// For each time t, from the first on, (h, c) = lstm_cell(x[t], h, c, ...) and y[t] = h (Hochreiter and
/// Schmidhuber, 1997): x [time, batch, in], h and c [batch, hidden], weight_ih [4 hidden, in], weight_hh
/// [4 hidden, hidden], two biases [4 hidden] or none -> y [time, batch, hidden], the last h and the last c:
/// auto [y, h, c] = lstm(...). With one more operand, weight_hr [out, hidden], h is projected (Sak et al.,
/// 2014): each h, the first one, too, is weight_hr times what it would be, [batch, out], and weight_hh is [4
/// hidden, out].
/// @formula (h, c) = lstm_cell(x[t], h, c), y[t] = h
/// @shapes floating [time, batch, in], h and c [batch, hidden] -> y [time, batch, hidden], h and c
/// @errors recurrent_sequence_input recurrent_sequence_states recurrent_sequence_weights recurrent_dropout
///   recurrent_sequence_operands recurrent_sequence_lengths recurrent_sequence_in_scan
///   recurrent_sequence_in_scan_times
///   results_of_refused_layer
/// @torch torch.nn.LSTM
/// @jax flax.linen.RNN(LSTMCell)
/// @given x = [[[1]], [[2]]]; h = [[0]]; c = [[0]]; w = [[1], [1], [1], [1]]; u = [[1], [1], [1], [1]]
/// @example auto [y, last_h, last_c] = tl::lstm(x, h, c, w, u);
/// @gives y = [[[0.3696]], [[0.8112]]]
/// @gives last_c = [[1.408]]
template <is_value X, is_value... More>
  requires(sizeof...(More) >= 4 && sizeof...(More) <= 7)
constexpr std::array<value, 3> lstm(X x, More... states_weights_and_biases) {
  return detail::sequence<lstm_operation>(x, states_weights_and_biases...);
}
template <layer_operand X, layer_operand... More>
  requires(sizeof...(More) >= 4 && sizeof...(More) <= 7)
TAPELESS_FACTORY auto lstm(X x, More... states_weights_and_biases) {
  return detail::sequence<lstm_operation>(x, states_weights_and_biases...);
}

/// The same as a network that owns Name.weight_ih_l0 [4 Hidden, in], Name.weight_hh_l0 [4 Hidden, Hidden],
/// Name.bias_ih_l0 and Name.bias_hh_l0 [4 Hidden]; layers, directions, lengths and the shapes of all h and c
/// as in rnn: x [time, batch, in] and the first h and c, or zeros where they are not given -> y [time, batch,
/// Hidden], the last h and the last c. With recurrent::proj_size y and h are [.., proj_size]; weight_hh_l0 is
/// [4 Hidden, proj_size], and there is Name.weight_hr_l0 [proj_size, Hidden], as PyTorch has them.
template <name Name, std::int64_t Hidden, recurrent Options = recurrent{}, is_value X, is_value... More>
  requires(sizeof...(More) <= 3)
constexpr std::array<value, 3> lstm(X x, More... states_and_lengths) {
  static_assert(Options.activation == recurrent{}.activation, "tapeless: lstm has no activation to choose");
  return sequence_layer<lstm_operation, Name, Hidden, Options>::build(x, states_and_lengths...);
}
template <name Name, std::int64_t Hidden, recurrent Options = recurrent{}, layer_operand X,
          layer_operand... More>
  requires(sizeof...(More) <= 3)
TAPELESS_FACTORY auto lstm(X x, More... states_and_lengths) {
  static_assert(Options.activation == recurrent{}.activation, "tapeless: lstm has no activation to choose");
  return detail::own_sequence<sequence_layer<lstm_operation, Name, Hidden, Options>, lstm_operation>(
      x, states_and_lengths...);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto lstm(const X&... x) {
  if constexpr (requires { forms::lstm<A.value...>(x...); }) {
    return forms::lstm<A.value...>(x...);
  } else {
    detail::refuse_layer<sentence{"lstm<\"lstm\", 64>(x)"}, A...>(x...);
    return detail::erroneous_results<3>();
  }
}

}  // namespace tapeless
