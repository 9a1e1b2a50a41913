// SPDX-License-Identifier: BSL-1.0
// conv_transpose3d<"c1", 32, conv{.kernel = 3}>(x), conv_transpose3d(x, weight, bias): the transpose of
// conv3d.
#pragma once

#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/spatial/conv_transpose2d.hpp>

namespace tapeless {

namespace forms {

/// conv_transpose2d along three axes: x [N, in, D, H, W], weight [in, out / groups, KD, KH, KW], bias [out]
/// (may be left out) -> [N, out, OD, OH, OW], sizes as conv_transpose2d's. Options of one number stand for
/// all axes, those of three for depth, height and width. Errors as conv_transpose2d's.
/// @formula y = the gradient of conv3d by its input, with x in place of the result's gradient
/// @shapes floating [N, in, D, H, W] [in, out / groups, KD, KH, KW] [out] -> [N, out, OD, OH, OW]
/// @errors conv_channels conv_rank
/// @torch torch.nn.ConvTranspose3d, torch.nn.functional.conv_transpose3d
/// @jax flax.linen.ConvTranspose
/// @given x = [[[[[1, 2]]]]]; w = [[[[[1]], [[10]]]]]
/// @gives tl::conv_transpose3d(x, w) = [[[[[1, 2]], [[10, 20]]]]]
template <conv Options = conv{}, is_value X, is_value... More>
  requires(sizeof...(More) == 1 || sizeof...(More) == 2)
constexpr value conv_transpose3d(X x, More... weight_and_bias) {
  return make<conv_transpose_statement<3, Options, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}
template <conv Options = conv{}, layer_operand X, layer_operand... More>
  requires(sizeof...(More) == 1 || sizeof...(More) == 2)
TAPELESS_FACTORY auto conv_transpose3d(X x, More... weight_and_bias) {
  return make<conv_transpose_statement<3, Options, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}

/// A layer with parameters of its own: x [N, in, D, H, W] -> [N, Out, OD, OH, OW]. Name.weight [in, Out /
/// groups, KD, KH, KW] and Name.bias [Out] start as conv2d's.
template <name Name, std::int64_t Out, conv Options>
TAPELESS_FACTORY auto conv_transpose3d(layer_operand auto x) {
  using parameters_and_x = conv_transpose_statement<3, Options, Options.bias ? 3 : 2>;
  return make<detail::convolution_layer<Name, Out, Options, parameters_and_x>>(x);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto conv_transpose3d(const X&... x) {
  if constexpr (requires { forms::conv_transpose3d<A.value...>(x...); }) {
    return forms::conv_transpose3d<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"conv_transpose3d<\"up1\", 16, tl::conv{.kernel = 2}>(x)"}, A...>(
        x...);
  }
}

}  // namespace tapeless
