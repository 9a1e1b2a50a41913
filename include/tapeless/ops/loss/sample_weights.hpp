// SPDX-License-Identifier: BSL-1.0
// sample_weights(w): how often each sample counts in a loss.
#pragma once

#include <string_view>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/less_equal.hpp>
#include <tapeless/ops/pointwise/logical_or.hpp>
#include <tapeless/ops/pointwise/not_equal.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

/// What sample_weights returns: the last operand of a loss.
template <class W>
struct sample_weights_of {
  W weights;
};

/// Weights of the single losses, as the last operand of any loss: mse_loss(x, t, sample_weights(w)). A weight
/// says how often its loss counts: 2 is the sample twice, and one of 0 counts nothing. Its loss may be
/// infinite or NaN, as of a target that is not known, and the operands of the loss get no derivative there.
/// But what the network computes for it must be finite: where its inputs are NaN, weights get 0 times NaN.
/// The mean of weights that are all 0 is NaN, like that of no sample.
///   reduction::none        w * loss
///   reduction::sum         sum(w * loss)
///   reduction::mean        sum(w * loss) / sum(w), with class weights c too sum(w c loss) / sum(w c)
///   reduction::batch_mean  sum(w * loss) / (the sum of w over the first axis, of its mean over the others)
/// So the mean is that of PyTorch's cross_entropy with class weights and its mse_loss with weights. That of
/// its bce losses divides by the number of losses instead: mean(w * bce_loss<{.reduce = none}>(p, t)). The
/// weights are of the losses' floating type, or a number; their axes are the first ones of the losses without
/// reduction, each of the same extent or 1: [batch] fits [batch, classes]. Derivatives flow to them, too.
/// @formula sum(w loss) / sum(w) in place of the mean of the losses
/// @shapes weights [batch, ..] of the losses' floating type -> the last operand of a loss
/// @errors sample_weights
/// @torch (w * loss).sum() / w.sum() of a loss with reduction="none"
/// @jax jnp.average(loss, weights=w)
/// @given x = [1, 2, 5]; t = [1, 1, 2]; w = [1, 2, 0]
/// @gives tl::mse_loss(x, t, tl::sample_weights(w)) = 0.6667
template <class W>
TAPELESS_FACTORY auto sample_weights(W w) {
  return sample_weights_of<W>{w};
}

namespace detail {

template <class X>
inline constexpr int sample_weights_in = 0;
template <class W>
inline constexpr int sample_weights_in<sample_weights_of<W>> = 1;

/// How many of the operands are sample weights.
template <class... X>
constexpr int sample_weights_among() {
  return (0 + ... + sample_weights_in<X>);
}

/// What may follow the operands of a loss that has weights of its own: these, sample weights, or both.
template <class... X>
inline constexpr bool own_and_sample_weights = false;
template <>
inline constexpr bool own_and_sample_weights<> = true;
template <class X>
inline constexpr bool own_and_sample_weights<X> = true;
template <class X, class W>
inline constexpr bool own_and_sample_weights<X, sample_weights_of<W>> = sample_weights_in<X> == 0;

/// The weights in sample_weights(w); any other operand itself.
template <class X>
TAPELESS_FACTORY auto unwrapped(X x) {
  if constexpr (sample_weights_in<X> == 1) {
    return x.weights;
  } else {
    return x;
  }
}

}  // namespace detail

/// sample_weights(w), as an operand, or what stands in its place and is refused there.
template <class W>
concept sample_weights_operand =
    detail::sample_weights_in<W> == 1 || operand<W> || plain_number<W> || requires(W w) { w.weights; };

namespace detail {

/// Says which weights the loss takes.
template <sentence Takes, class... X>
TAPELESS_FACTORY auto refuse_weights(const X&...) {
  static_assert(compile_error<Takes>::reported);
  return erroneous{};
}

inline constexpr sentence weights_of_samples{
    "this loss takes weights as its last operand, tl::sample_weights(w), of single losses too: w is [batch], "
    "or of the shape of the losses"};

inline constexpr sentence numbers_are_options{
    "numbers behind a loss's operands are options, which are template arguments: "
    "tl::huber_loss<tl::loss{.delta = 0.5}>(x, t)"};

/// The weights in sample_weights(w); refuses everything else.
template <class W>
TAPELESS_FACTORY auto weights_in(W w) {
  if constexpr (sample_weights_in<W> == 1) {
    return w.weights;
  } else if constexpr (plain_number<W>) {
    return refuse_weights<numbers_are_options>(w);
  } else {
    return refuse_weights<weights_of_samples>(w);
  }
}

/// Weights of samples as they broadcast to x: they stand at its first axes, without `classes`, which the
/// losses lack. Nothing where there are none, or where they do not fit, which is refused elsewhere.
constexpr value weights_along(value x, value weights, int classes = -1) {
  if (!weights.exists() || weights.type() != x.type() || !is_floating(x.type())) return {};
  shape_list s{.rank = x.rank()};
  int placed = 0;
  for (int i = 0; i < x.rank(); ++i) {
    s.extents[i] = i != classes && placed < weights.rank() ? weights.get().shape[placed++] : 1;
    if (s.extents[i] != 1 && s.extents[i] != x.get().shape[i]) return {};
  }
  return placed < weights.rank() ? value{} : reshape(weights, s);
}

/// An operand of a loss, without a derivative where the sample's weight is 0: the loss's own may be infinite
/// or NaN there.
constexpr value without_removed(value x, value weights, int classes = -1) {
  const value w = weights_along(x, weights, classes);
  return w.exists() ? where(w == 0.0, stop_gradient(x), x) : x;
}
/// The same of all operands.
constexpr void leave_out_removed(value weights, auto&... x) { ((x = without_removed(x, weights)), ...); }

/// Losses of which those with the weight 0 are 0 where they are not finite; finite ones stay, as the
/// derivative by the weights has them.
constexpr value finite_where_removed(value losses, value w) {
  return where(w != 0.0 || abs(losses) <= largest_finite(losses.type()), losses, 0.0);
}

/// `factors` * losses, with a derivative by the factors that is finite where samples of the weight 0 are not.
constexpr value times_factors(value factors, value losses, value sample_weights, int classes = -1) {
  const value w = weights_along(losses, sample_weights, classes);
  return factors * (w.exists() ? finite_where_removed(losses, w) : losses);
}

/// Losses with their weights.
struct weighted_losses {
  value losses;
  value weight;  // what the mean divides by, of the losses' shape; absent where all count once
  value sample;  // the weights of the samples, of the losses' shape; absent where there are none

  /// `given` are the weights of the samples, or nothing: each loss, and its weight, counts so many times.
  constexpr weighted_losses(std::string_view op, value all, value of_classes, value given)
      : losses(all), weight(of_classes) {
    if (!given.exists()) return;
    if (!fits(given)) {
      losses =
          do_not_fit(op, {{"losses", losses}, {"sample weights", given}},
                     "sample weights of the same element type, whose axes are the first ones of the losses, "
                     "each of the same extent or 1");
      return;
    }
    shape_list shape = shape_of(given);
    while (shape.rank < losses.rank()) shape.extents[shape.rank++] = 1;
    sample = expand(cast(reshape(given, shape), losses.type()), shape_of(losses));
    losses = finite_where_removed(losses, sample) * sample;
    weight = weight.exists() ? weight * sample : sample;
  }

 private:
  constexpr bool fits(value given) const {
    if (given.rank() > losses.rank()) return false;
    if (given.type() != losses.type() && given.type() != element::number) return false;
    for (int i = 0; i < given.rank(); ++i)
      if (given.get().shape[i] != losses.get().shape[i] && given.get().shape[i] != 1) return false;
    return true;
  }
};

}  // namespace detail

}  // namespace tapeless
