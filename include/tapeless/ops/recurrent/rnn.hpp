// SPDX-License-Identifier: BSL-1.0
// rnn<"name", hidden>(x), rnn(x, h, ...): a simple recurrent network over sequences.
#pragma once

#include <tapeless/expr/pack.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/recurrent/recurrent_network.hpp>

namespace tapeless {

namespace forms {

/// For each time t, from the first on, h = tanh(weight_ih x[t] + bias_ih + weight_hh h + bias_hh), or relu as
/// recurrent::activation says, and y[t] = h (Elman, 1990): x [time, batch, in], h [batch, hidden], weight_ih
/// [hidden, in], weight_hh [hidden, hidden], two biases [hidden] or none -> y [time, batch, hidden] and the
/// last h: auto [y, h] = rnn(...).
/// @formula h = tanh(weight_ih x[t] + bias_ih + weight_hh h + bias_hh), y[t] = h
/// @shapes floating [time, batch, in], h [batch, hidden] -> y [time, batch, hidden] and h
/// @errors recurrent_sequence_input recurrent_sequence_states recurrent_sequence_weights recurrent_dropout
///   recurrent_sequence_operands recurrent_sequence_lengths recurrent_sequence_in_scan
///   recurrent_sequence_in_scan_times
///   results_of_refused_layer
/// @torch torch.nn.RNN
/// @jax flax.linen.RNN(SimpleCell)
/// @given x = [[[1]], [[2]]]; h = [[0]]; w = [[1]]; u = [[1]]
/// @example auto [y, last] = tl::rnn(x, h, w, u);
/// @gives y = [[[0.7616]], [[0.992]]]
/// @gives last = [[0.992]]
template <recurrent Options = recurrent{}, is_value X, is_value... More>
  requires(sizeof...(More) == 3 || sizeof...(More) == 5)
constexpr std::array<value, 2> rnn(X x, More... h_weights_and_biases) {
  static_assert(detail::is_one_layer<Options>, "tapeless: rnn with its weights given is one layer");
  return detail::sequence<rnn_operation<Options.activation>>(x, h_weights_and_biases...);
}
template <recurrent Options = recurrent{}, layer_operand X, layer_operand... More>
  requires(sizeof...(More) == 3 || sizeof...(More) == 5)
TAPELESS_FACTORY auto rnn(X x, More... h_weights_and_biases) {
  static_assert(detail::is_one_layer<Options>, "tapeless: rnn with its weights given is one layer");
  return detail::sequence<rnn_operation<Options.activation>>(x, h_weights_and_biases...);
}

/// The same as a network that owns Name.weight_ih_l0 [Hidden, in], Name.weight_hh_l0 [Hidden, Hidden],
/// Name.bias_ih_l0 and Name.bias_hh_l0 [Hidden]. The next layers' parameters end in _l1 and so on, those of
/// the direction from the last time to the first in _reverse. It takes x [time, batch, in] and the first h,
/// or zeros where it is not given -> y [time, batch, Hidden] of the last layer, both directions' joined in
/// [.., 2 Hidden], and the last h. All h are [batch, Hidden]; with several layers or directions [layers *
/// directions, batch, Hidden], layer by layer.
///
/// Sequences of several lengths have these as the last operand, integers [batch] from 0 to time, checked
/// where they are an input: rnn<"a", 64>(x, lengths). What x is at later times counts for nothing; y is 0
/// there. The last h is that of each sequence's own end, and the other direction begins there.
template <name Name, std::int64_t Hidden, recurrent Options = recurrent{}, is_value X, is_value... More>
  requires(sizeof...(More) <= 2)
constexpr std::array<value, 2> rnn(X x, More... h_and_lengths) {
  return sequence_layer<rnn_operation<Options.activation>, Name, Hidden, Options>::build(x, h_and_lengths...);
}
template <name Name, std::int64_t Hidden, recurrent Options = recurrent{}, layer_operand X,
          layer_operand... More>
  requires(sizeof...(More) <= 2)
TAPELESS_FACTORY auto rnn(X x, More... h_and_lengths) {
  using cell = rnn_operation<Options.activation>;
  return detail::own_sequence<sequence_layer<cell, Name, Hidden, Options>, cell>(x, h_and_lengths...);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto rnn(const X&... x) {
  if constexpr (requires { forms::rnn<A.value...>(x...); }) {
    return forms::rnn<A.value...>(x...);
  } else {
    detail::refuse_layer<sentence{"rnn<\"rnn\", 64>(x)"}, A...>(x...);
    return detail::erroneous_results<2>();
  }
}

}  // namespace tapeless
