// SPDX-License-Identifier: BSL-1.0
// conv1d<"c1", 32, conv{.kernel = 3}>(x), conv1d(x, weight, bias): convolution of sequences.
#pragma once

#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/spatial/conv2d.hpp>

namespace tapeless {

namespace forms {

/// conv2d's formula along one axis: x [N, in, L], weight [out, in / groups, kernel], bias [out] (may be left
/// out) -> [N, out, (L + 2*padding - dilation*(kernel - 1) - 1) / stride + 1], rounded down. Of options with
/// two numbers, the horizontal one is read. Errors as conv2d's.
/// @formula y[n, o, j] = bias[o] + sum_cl weight[o, c, l] x[n, c, j stride + l dilation - padding]
/// @shapes floating [N, in, L] [out, in / groups, kernel] [out] -> [N, out, OL]
/// @errors conv_channels conv_groups conv_kernel conv_layer_without_kernel conv_rank conv_without_channels
/// @torch torch.nn.Conv1d, torch.nn.functional.conv1d
/// @jax flax.linen.Conv, jax.lax.conv_general_dilated
/// @given x = [[[1, 2, 4, 8]]]; w = [[[1, -1]]]
/// @gives tl::conv1d(x, w) = [[[-1, -2, -4]]]
template <conv Options = conv{}, is_value X, is_value... More>
  requires(sizeof...(More) == 1 || sizeof...(More) == 2)
constexpr value conv1d(X x, More... weight_and_bias) {
  return make<conv_statement<1, Options, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}
template <conv Options = conv{}, layer_operand X, layer_operand... More>
  requires(sizeof...(More) == 1 || sizeof...(More) == 2)
TAPELESS_FACTORY auto conv1d(X x, More... weight_and_bias) {
  return make<conv_statement<1, Options, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}

/// A layer with parameters of its own: x [N, in, L] -> [N, Out, positions]. Name.weight [Out, in / groups,
/// kernel] and Name.bias [Out] start as conv2d's.
template <name Name, std::int64_t Out, conv Options>
TAPELESS_FACTORY auto conv1d(layer_operand auto x) {
  return make<
      detail::convolution_layer<Name, Out, Options, conv_statement<1, Options, Options.bias ? 3 : 2>>>(x);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto conv1d(const X&... x) {
  if constexpr (requires { forms::conv1d<A.value...>(x...); }) {
    return forms::conv1d<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"conv1d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"}, A...>(x...);
  }
}

}  // namespace tapeless
