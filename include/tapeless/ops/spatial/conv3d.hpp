// SPDX-License-Identifier: BSL-1.0
// conv3d<"c1", 32, conv{.kernel = 3}>(x), conv3d(x, weight, bias): convolution of volumes.
#pragma once

#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/spatial/conv2d.hpp>

namespace tapeless {

namespace forms {

/// conv2d along three axes: x [N, in, D, H, W], weight [out, in / groups, KD, KH, KW], bias [out] (may be
/// left out) -> [N, out, OD, OH, OW], sizes as conv2d's. Options of one number stand for all axes, those of
/// three for depth, height and width. Errors as conv2d's.
/// @formula y[n, o, h, i, j] = bias[o] + sum_cmkl weight[o, c, m, k, l] x[n, c, h stride + m dilation -
///   padding, ..]
/// @shapes floating [N, in, D, H, W] [out, in / groups, KD, KH, KW] [out] -> [N, out, OD, OH, OW]
/// @errors conv_channels conv_groups conv_kernel conv_layer_without_kernel conv_rank conv_without_channels
/// @torch torch.nn.Conv3d, torch.nn.functional.conv3d
/// @jax flax.linen.Conv, jax.lax.conv_general_dilated
/// @given x = [[[[[1, 2]], [[4, 8]]]]]; w = [[[[[1]], [[-1]]]]]
/// @gives tl::conv3d(x, w) = [[[[[-3, -6]]]]]
template <conv Options = conv{}, is_value X, is_value... More>
  requires(sizeof...(More) == 1 || sizeof...(More) == 2)
constexpr value conv3d(X x, More... weight_and_bias) {
  return make<conv_statement<3, Options, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}
template <conv Options = conv{}, layer_operand X, layer_operand... More>
  requires(sizeof...(More) == 1 || sizeof...(More) == 2)
TAPELESS_FACTORY auto conv3d(X x, More... weight_and_bias) {
  return make<conv_statement<3, Options, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}

/// A layer with parameters of its own: x [N, in, D, H, W] -> [N, Out, OD, OH, OW]. Name.weight [Out, in /
/// groups, KD, KH, KW] and Name.bias [Out] start as conv2d's.
template <name Name, std::int64_t Out, conv Options>
TAPELESS_FACTORY auto conv3d(layer_operand auto x) {
  using parameters_and_x = conv_statement<3, Options, Options.bias ? 3 : 2>;
  return make<detail::convolution_layer<Name, Out, Options, parameters_and_x>>(x);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto conv3d(const X&... x) {
  if constexpr (requires { forms::conv3d<A.value...>(x...); }) {
    return forms::conv3d<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"conv3d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"}, A...>(x...);
  }
}

}  // namespace tapeless
