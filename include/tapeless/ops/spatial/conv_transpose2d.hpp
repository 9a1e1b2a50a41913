// SPDX-License-Identifier: BSL-1.0
// conv_transpose2d<"up", 32, conv{.kernel = 2, .stride = 2}>(x), conv_transpose2d(x, weight, bias): the
// transpose of conv2d.
#pragma once

#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/spatial/convolution.hpp>
#include <tapeless/ops/spatial/convolve_volumes.hpp>

namespace tapeless {

/// A transposed convolution along one to three spatial axes.
template <int Axes, conv Options, int Operands>
struct conv_transpose_statement {
  static constexpr std::string_view name = Axes == 1   ? "conv_transpose1d"
                                           : Axes == 2 ? "conv_transpose2d"
                                                       : "conv_transpose3d";
  static constexpr detail::convolution_signature signature{name, Axes, true};
  static constexpr int arity = Operands;
  static constexpr text refusal() {
    if (Options.padding.size == padding_size::same || Options.padding_mode != padding_mode::zeros)
      return text() << name << ": a transposed convolution takes a padding in numbers, of zeros";
    return detail::refused_options(name, Options, Axes);
  }
  // A copy: where a graph is built while the program runs, clang 19 looks for this part of the template
  // argument in a wrong place.
  static constexpr spatial_extents output_padding = Options.output_padding;

  static constexpr value build(value x, value weight, value bias = {}) {
    return detail::with_batch(x, 2 + Axes, [&](value images) { return build_batch(images, weight, bias); });
  }

 private:
  static constexpr value build_batch(value x, value weight, value bias) {
    if (!detail::require_operands(signature, Options, x, weight)) return x;
    const spatial_windows w = detail::windows_of(Options, Axes, weight);
    std::int64_t extents[Axes] = {};
    for (int s = 0; s < Axes; ++s) {
      const std::int64_t extra = output_padding.along(s, Axes);
      if (extra >= w.along[s].stride && extra >= w.along[s].dilation)
        return x.fail(text() << name << " got an output_padding of " << extra
                             << ": it must be smaller than the stride or the dilation");
      const std::int64_t extent = x.get().shape[2 + s];
      extents[s] = result_extent(x, w, s);
      if (!extent_table::is_literal(extent) || (extent > 0 && extents[s] > 0)) continue;
      return x.fail(detail::shape_sentence(name, x)
                    << ": a padding of " << w.padding[s] << " leaves nothing of axis " << 2 + s);
    }
    if constexpr (Axes == 3) {
      return detail::add_bias(name, convolve_volumes_data(x, weight, w, Options.groups, extents), bias);
    } else {
      return detail::add_bias(name, convolve_data(x, weight, w, Options.groups, extents), bias);
    }
  }

  // (count - 1)*stride + dilation*(size - 1) + 1, which is what all windows cover, without the padding.
  static constexpr std::int64_t result_extent(value x, const spatial_windows& w, int s) {
    extent_table& e = x.builder->extents;
    const std::int64_t starts = e.multiply(x.get().shape[2 + s], w.along[s].stride);
    const std::int64_t rest =
        detail::span_of(w.along[s]) - w.along[s].stride - 2 * w.padding[s] + output_padding.along(s, Axes);
    return rest < 0 ? e.subtract(starts, -rest) : e.add(starts, rest);
  }
};

namespace forms {

/// The transpose of conv2d with the same options, the gradient of which in x it is: x [N, in, H, W], weight
/// [in, out / groups, kernel height, kernel width], bias [out] (may be left out) -> [N, out, OH, OW] with OH
/// = (H - 1)*stride - 2*padding + dilation*(kernel height - 1) + output_padding + 1 (Zeiler et al., 2010).
/// output_padding, smaller than the stride or the dilation, chooses among the sizes that conv2d maps to H. An
/// error where channels, groups or types do not fit, and where the padding leaves nothing. The batch may be
/// left out.
/// @formula y = the gradient of conv2d by its input, with x in place of the result's gradient
/// @shapes floating [N, in, H, W] [in, out / groups, KH, KW] [out] -> [N, out, OH, OW]
/// @errors conv_channels conv_rank
/// @torch torch.nn.ConvTranspose2d, torch.nn.functional.conv_transpose2d
/// @jax flax.linen.ConvTranspose
/// @given x = [[[[1, 2]]]]; w = [[[[1, 10], [100, 1000]]]]
/// @gives tl::conv_transpose2d(x, w) = [[[[1, 12, 20], [100, 1200, 2000]]]]
template <conv Options = conv{}, is_value X, is_value... More>
  requires(sizeof...(More) == 1 || sizeof...(More) == 2)
constexpr value conv_transpose2d(X x, More... weight_and_bias) {
  return make<conv_transpose_statement<2, Options, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}
template <conv Options = conv{}, layer_operand X, layer_operand... More>
  requires(sizeof...(More) == 1 || sizeof...(More) == 2)
TAPELESS_FACTORY auto conv_transpose2d(X x, More... weight_and_bias) {
  return make<conv_transpose_statement<2, Options, 1 + int(sizeof...(More))>>(x, weight_and_bias...);
}

/// A layer with parameters of its own: x [N, in, H, W] -> [N, Out, OH, OW]. Name.weight [in, Out / groups,
/// kernel height, kernel width] and Name.bias [Out] start as conv2d's.
template <name Name, std::int64_t Out, conv Options>
TAPELESS_FACTORY auto conv_transpose2d(layer_operand auto x) {
  using parameters_and_x = conv_transpose_statement<2, Options, Options.bias ? 3 : 2>;
  return make<detail::convolution_layer<Name, Out, Options, parameters_and_x>>(x);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto conv_transpose2d(const X&... x) {
  if constexpr (requires { forms::conv_transpose2d<A.value...>(x...); }) {
    return forms::conv_transpose2d<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"conv_transpose2d<\"up1\", 16, tl::conv{.kernel = 2}>(x)"}, A...>(
        x...);
  }
}

}  // namespace tapeless
