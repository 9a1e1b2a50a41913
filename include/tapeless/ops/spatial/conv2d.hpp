// SPDX-License-Identifier: BSL-1.0
// conv2d<"c1", 32, conv{.kernel = 3}>(x), conv2d(x, weight, bias): convolution of images.
#pragma once

#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/spatial/convolution.hpp>
#include <tapeless/ops/spatial/convolve_volumes.hpp>

namespace tapeless {

/// Convolution along one to three spatial axes.
template <int Axes, conv Options, int Operands>
struct conv_statement {
  static constexpr std::string_view name = Axes == 1 ? "conv1d" : Axes == 2 ? "conv2d" : "conv3d";
  static constexpr detail::convolution_signature signature{name, Axes};
  static constexpr int arity = Operands;
  static constexpr text refusal() {
    if (Options.padding.size == padding_size::same && !(Options.stride == spatial_extents(1)))
      return text() << name << ": padding_size::same is for a stride of 1";
    if (!(Options.output_padding == spatial_extents(0)))
      return text() << name << ": output_padding is for transposed convolutions";
    return detail::refused_options(name, Options, Axes);
  }

  static constexpr value build(value x, value weight, value bias = {}) {
    return detail::with_batch(x, 2 + Axes, [&](value images) {
      if (!detail::require_operands(signature, Options, images, weight)) return images;
      spatial_windows w = detail::windows_of(Options, Axes, weight);
      const value padded = detail::pad_for(name, images, w, Options);
      if (!detail::require_room(name, padded, w)) return images;
      return detail::add_bias(name, product(padded, weight, w), bias);
    });
  }

 private:
  static constexpr value product(value x, value weight, const spatial_windows& w) {
    if constexpr (Axes == 3) {
      return convolve_volumes(x, weight, w, Options.groups);
    } else {
      return convolve(x, weight, w, Options.groups);
    }
  }
};

namespace forms {

/// y[n, o, i, j] = bias[o] + sum over c, k, l of weight[o, c, k, l] * x[n, c, i*stride + k*dilation -
/// padding, j*stride + l*dilation - padding], where x is 0 outside: x [N, in, H, W], weight [out, in /
/// groups, kernel height, kernel width], bias [out] (may be left out) -> [N, out, OH, OW] with OH = (H +
/// 2*padding - dilation*(kernel height - 1) - 1) / stride + 1, rounded down. With groups, the channels of x
/// and of the result fall into so many parts, each of which sees its own only. An error where channels,
/// groups or types do not fit, and where the kernel is larger than x with its padding. The
/// batch may be left out. conv::padding_mode says what stands around x. (No kernel is turned
/// around: cross-correlation, as everywhere in the field.)
/// @formula y[n, o, i, j] = bias[o] + sum_ckl weight[o, c, k, l] x[n, c, i stride + k dilation - padding,
///   ..]
/// @shapes floating [N, in, H, W] [out, in / groups, KH, KW] [out] -> [N, out, OH, OW]
/// @errors conv_channels conv_groups conv_kernel conv_layer_without_kernel conv_rank conv_without_channels
/// @torch torch.nn.Conv2d, torch.nn.functional.conv2d
/// @jax flax.linen.Conv, jax.lax.conv_general_dilated
/// @given x = [[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]]; w = [[[[1, 0], [0, -1]]]]
/// @gives tl::conv2d(x, w) = [[[[-4, -4], [-4, -4]]]]
/// @gives tl::conv2d<tl::conv{.stride = 2, .padding = 1}>(x, w) = [[[[-1, -3], [-7, -4]]]]
/// @gives tl::conv2d<tl::conv{.padding = tl::padding_size::same}>(x, w)
///   = [[[[-4, -4, 3], [-4, -4, 6], [7, 8, 9]]]]
template <conv Options = conv{}, is_value X, is_value... More>
  requires(sizeof...(More) == 1 || sizeof...(More) == 2)
constexpr value conv2d(X x, More... weight_and_bias) {
  return make<conv_statement<2, Options, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}
template <conv Options = conv{}, layer_operand X, layer_operand... More>
  requires(sizeof...(More) == 1 || sizeof...(More) == 2)
TAPELESS_FACTORY auto conv2d(X x, More... weight_and_bias) {
  return make<conv_statement<2, Options, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}

/// A layer with parameters of its own: x [N, in, H, W] -> [N, Out, OH, OW]. Name.weight [Out, in / groups,
/// kernel height, kernel width] starts uniformly in [-a, a] with a = sqrt(6 / (fan_in + fan_out)) (Glorot and
/// Bengio, 2010). There fan_in is in / groups and fan_out is Out / groups, each times the kernel's elements.
/// Name.bias [Out] starts at zero.
template <name Name, std::int64_t Out, conv Options>
TAPELESS_FACTORY auto conv2d(layer_operand auto x) {
  return make<
      detail::convolution_layer<Name, Out, Options, conv_statement<2, Options, Options.bias ? 3 : 2>>>(x);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto conv2d(const X&... x) {
  if constexpr (requires { forms::conv2d<A.value...>(x...); }) {
    return forms::conv2d<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"conv2d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"}, A...>(x...);
  }
}

}  // namespace tapeless
