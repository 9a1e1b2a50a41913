// SPDX-License-Identifier: BSL-1.0
// batch_norm<"bn1">(x): each channel normalized over the batch; in evaluation by its running statistics.
#pragma once

#include <tapeless/expr/param.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/min.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/mean.hpp>

namespace tapeless {

namespace detail {

/// The value that a buffer has at this place of the step: its own, or what an effect gives it.
constexpr value current_value(value buffer) {
  for (const graph_effect& e : buffer.builder->effects)
    if (e.target == buffer.id) return {buffer.builder, e.node};
  return buffer;
}
/// From here on the buffer has this value, and keeps it when the step is over.
constexpr void set_value(value buffer, value next) {
  for (graph_effect& e : buffer.builder->effects)
    if (e.target == buffer.id) {
      e.node = next.id;
      return;
    }
  buffer.builder->effects.push({buffer.id, next.id, -1});
}

// (1 - momentum) old + momentum new
constexpr void follow(value buffer, value now, auto momentum) {
  now = reshape(cast(now, buffer.type()), shape_of(buffer));
  set_value(buffer, (1 - momentum) * current_value(buffer) + momentum * now);
}

/// What a step normalizes by: means over the samples that it has.
struct own_samples {
  static constexpr value mean(value x, unsigned axes, std::int64_t) {
    return mean_operation::build(x, axes, true);
  }
  static constexpr value count(value x, std::int64_t n) { return make_size(*x.builder, n); }
};

}  // namespace detail

/// Options of batch_norm, with PyTorch's defaults.
struct batch_norm_options {
  double eps = 1e-5;                ///< added to the variance
  double momentum = 0.1;            ///< how much of a batch the running statistics take over
  bool affine = true;               ///< whether there are a weight and a bias
  bool track_running_stats = true;  ///< without them evaluation uses its batch's statistics, too
  bool cumulative = false;  ///< PyTorch's momentum=None: the running statistics are means of all batches'
  bool frozen = false;  ///< a step computes what evaluation does, and changes neither statistics nor weights
  friend constexpr bool operator==(const batch_norm_options&, const batch_norm_options&) = default;
};

/// Samples has the means over a step's samples, and how many numbers they are of.
template <name Name, batch_norm_options Options, class Samples = detail::own_samples>
struct batch_norm_layer {
  static constexpr bool built_once = true;  // running statistics follow a batch once
  static constexpr int arity = 1;
  static constexpr text refusal() {
    if (!Options.frozen || Options.track_running_stats) return {};
    return text() << "a frozen batch_norm has running statistics";
  }
  static constexpr value build(value x) {
    text t = detail::shape_sentence("batch_norm", x);
    if (x.rank() < 2 || !is_floating(x.type()))
      return x.fail(t << ": it takes floating [batch, channels, ...]");
    const std::int64_t channels = x.get().shape[1];
    if (!extent_table::is_literal(channels)) return x.fail(t << ": axis 1, channels, must be an integer");
    graph& g = *x.builder;
    if (g.region != 0 && !Options.frozen)
      return x.fail(t << " in the body of scan, where running statistics cannot be kept");
    shape_list row{1, {channels}}, kept = shape_of(x);
    std::int64_t count = 1;
    for (int i = 0; i < kept.rank; ++i)
      if (i != 1) {
        count = g.extents.multiply(count, kept.extents[i]);
        kept.extents[i] = 1;
      }
    const auto owned = [&](const tapeless::name* label, double start, bool buffer) {
      return make_parameter(g, label, x.type(), row, fill(start), buffer);
    };
    constexpr bool tracks = Options.track_running_stats;
    const bool follows = tracks && !Options.frozen && g.is_training();
    value running_mean, running_var, batches, centre, variance, of = x;
    if constexpr (tracks) {
      running_mean = owned(&interned<Name + ".running_mean">, 0, true);
      running_var = owned(&interned<Name + ".running_var">, 1, true);
      if constexpr (Options.cumulative)  // in evaluation, too: both graphs have the same parameters
        batches =
            make_parameter(g, &interned<Name + ".num_batches_tracked">, element::i64, {}, fill(0), true);
      centre = reshape(running_mean, kept);
      variance = reshape(running_var, kept);
    }
    if (!tracks || follows) {
      const unsigned axes = ((1u << x.rank()) - 1) & ~2u;
      of = cast(x, computed_in(x.type()));
      centre = Samples::mean(of, axes, count);
      variance = Samples::mean(square(of - centre), axes, count);
    }
    if (follows) {
      const value n = Samples::count(of, count);
      // One value alone is no estimate of a variance: nothing is taken over from it.
      const value counts = min(n - 1.0, 1.0), unbiased = variance * (n / max(n - 1.0, 1.0));
      if constexpr (Options.cumulative) {
        const value now = detail::current_value(batches) + cast(counts, element::i64);
        detail::set_value(batches, now);
        const value share = counts / max(cast(now, x.type()), 1.0);
        detail::follow(running_mean, centre, share);
        detail::follow(running_var, unbiased, share);
      } else {
        detail::follow(running_mean, centre, Options.momentum);
        detail::follow(running_var, unbiased, Options.momentum * counts);
      }
    }
    const value y = cast((of - centre) / sqrt(variance + Options.eps), x.type());
    if constexpr (!Options.affine) return y;
    value weight = owned(&interned<Name + ".weight">, 1, false);
    value bias = owned(&interned<Name + ".bias">, 0, false);
    if constexpr (Options.frozen) {
      weight = stop_gradient(weight);
      bias = stop_gradient(bias);
    }
    return y * reshape(weight, kept) + reshape(bias, kept);
  }
};

namespace forms {

/// (x - mean) / sqrt(variance + eps) * weight + bias for each channel, axis 1: [batch, channels, ...] -> the
/// same. In training mean and (biased) variance are those of the batch, and Name.running_mean and
/// Name.running_var follow them: new = (1 - momentum) old + momentum batch's, with the unbiased variance; in
/// evaluation these are used. Applied to several values, they follow each in turn. Of one value for a channel
/// the variance is 0, where PyTorch refuses to train, and Name.running_var stays as it is. Owns Name.weight,
/// which starts at 1, and Name.bias, at 0. Ioffe and Szegedy, 2015. Numbers have names, those of
/// batch_norm_options: batch_norm<"bn1", batch_norm_options{.eps = 1e-3, .momentum = 0.01}>(x). With
/// .cumulative the running statistics are means over all batches of two values or more for a channel, counted
/// in Name.num_batches_tracked, an integer. With .frozen it normalizes by running statistics in training,
/// too, leaves them, weight and bias as they are, and may stand in the body of scan. With
/// .track_running_stats = false it has no running statistics, with .affine = false no weight and no bias.
/// @formula y = (x - mean) / sqrt(variance + eps) weight + bias, for each channel
/// @shapes floating [batch, channels, ..] -> the same
/// @errors batch_norm_numbers
/// @torch torch.nn.BatchNorm1d, BatchNorm2d, BatchNorm3d
/// @jax flax.linen.BatchNorm
/// @given x = [[1, 2], [3, 4]]
/// @gives tl::batch_norm<"bn">(x) = [[1, 2], [3, 4]]
template <name Name, batch_norm_options Options = batch_norm_options{}>
TAPELESS_FACTORY auto batch_norm(layer_operand auto x) {
  return make<batch_norm_layer<Name, Options>>(x);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto batch_norm(const X&... x) {
  if constexpr (requires { forms::batch_norm<A.value...>(x...); }) {
    return forms::batch_norm<A.value...>(x...);
  } else {
    return detail::refuse_layer<
        sentence{"batch_norm<\"bn1\", tl::batch_norm_options{.eps = 1e-5, .momentum = 0.1}>(x)"}, A...>(x...);
  }
}

}  // namespace tapeless
