// SPDX-License-Identifier: BSL-1.0
// dropout1d<p>(x), dropout2d<p>(x), dropout3d<p>(x): in training, channels that are zero by chance.
#pragma once

#include <tapeless/ops/activation/dropout.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/random/random_like.hpp>
#include <tapeless/ops/shape/expand.hpp>

namespace tapeless {

namespace detail {

/// The shape of x with extents of 1 in place of the last `positions` ones.
constexpr shape_list shape_of_channels(value x, int positions) {
  shape_list s = shape_of(x);
  for (int i = s.rank - positions; i < s.rank; ++i) s.extents[i] = 1;
  return s;
}

/// For each channel of x, along the axis `channels` and those before it, whether it is kept in training, of
/// the extents 1 behind that axis; absent in evaluation. The axes behind are `positions` many.
template <double P>
constexpr value kept_channels(value x, int positions) {
  graph& g = *x.builder;
  if (!g.is_training() || P == 0) return {};
  const value zero = make_constant(g, 0, x.type());
  return random_like(expand(zero, shape_of_channels(x, positions))) >= P;
}

}  // namespace detail

template <int Positions, double P>
struct dropout_channels_statement {
  static constexpr bool built_once = true;
  static constexpr std::string_view name = Positions == 1   ? "dropout1d"
                                           : Positions == 2 ? "dropout2d"
                                                            : "dropout3d";
  static constexpr int arity = 1;
  static constexpr text refusal() { return detail::refused_probability(name, P); }
  static constexpr value build(value x) {
    const bool unbatched = x.rank() == Positions + 1 && Positions != 2;
    if (!is_floating(x.type()) || (x.rank() != Positions + 2 && !unbatched))
      return x.fail(detail::shape_sentence(name, x)
                    << ": it takes floating [batch, channels" << std::string_view(", *, *, *", 3 * Positions)
                    << (Positions == 2 ? "]" : "], or the same without a batch"));
    const value kept = detail::kept_channels<P>(x, Positions);
    return kept.exists() ? x * detail::kept_factors(x, kept, P) : x;
  }
};

/// In training each channel of each sample is 0 with probability P, and otherwise x / (1 - P); in evaluation
/// x itself: x [batch, channels, length], or [channels, length]. Which channels depends on the trainer's
/// seed, the step and the place in the model. Tompson et al., 2015.
/// @formula y = x / (1 - P) with probability 1 - P, else 0, channel by channel; in evaluation y = x
/// @shapes floating [batch, channels, length] -> the same
/// @errors dropout_channels probabilities
/// @torch torch.nn.functional.dropout1d
/// @jax flax.linen.Dropout(broadcast_dims=(2,))
/// @given x = [[[-2, 0.5, 3]]]
/// @gives tl::dropout1d<0.5>(x) = [[[-2, 0.5, 3]]]
template <double P = 0.5>
TAPELESS_FACTORY auto dropout1d(expression_operand auto x) {
  return make<dropout_channels_statement<1, P>>(x);
}

/// As dropout1d, of images: x [batch, channels, height, width].
/// @formula y = x / (1 - P) with probability 1 - P, else 0, channel by channel; in evaluation y = x
/// @shapes floating [batch, channels, height, width] -> the same
/// @errors dropout_channels probabilities
/// @torch torch.nn.functional.dropout2d
/// @jax flax.linen.Dropout(broadcast_dims=(2, 3))
/// @given x = [[[[-2, 0.5, 3]]]]
/// @gives tl::dropout2d<0.5>(x) = [[[[-2, 0.5, 3]]]]
template <double P = 0.5>
TAPELESS_FACTORY auto dropout2d(expression_operand auto x) {
  return make<dropout_channels_statement<2, P>>(x);
}

/// As dropout1d, of volumes: x [batch, channels, depth, height, width], or the same without a batch.
/// @formula y = x / (1 - P) with probability 1 - P, else 0, channel by channel; in evaluation y = x
/// @shapes floating [batch, channels, depth, height, width] -> the same
/// @errors dropout_channels probabilities
/// @torch torch.nn.functional.dropout3d
/// @jax flax.linen.Dropout(broadcast_dims=(2, 3, 4))
/// @given x = [[[[[-2, 0.5, 3]]]]]
/// @gives tl::dropout3d<0.5>(x) = [[[[[-2, 0.5, 3]]]]]
template <double P = 0.5>
TAPELESS_FACTORY auto dropout3d(expression_operand auto x) {
  return make<dropout_channels_statement<3, P>>(x);
}

}  // namespace tapeless
