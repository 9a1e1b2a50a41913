// SPDX-License-Identifier: BSL-1.0
// sync_batch_norm<"bn1">(x): batch_norm over the samples of all ranks.
#pragma once

#include <cstdint>

#include <tapeless/cluster/collectives/sum_of_ranks.hpp>
#include <tapeless/ops/norm/batch_norm.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

namespace detail {

/// Each rank has a loss of its own, which depends on the sums of all: so the cotangents of a sum are added
/// up, too.
struct samples_of_ranks {
  static constexpr value mean(value x, unsigned axes, std::int64_t n) {
    return vary_by_rank(all_reduce(sum_operation::build(x, axes, true))) / count(x, n);
  }
  static constexpr value count(value x, std::int64_t n) {
    return all_reduce(cast(make_size(*x.builder, n), x.type()));
  }
};

}  // namespace detail

template <name Name, batch_norm_options Options>
struct sync_batch_norm_layer : batch_norm_layer<Name, Options, detail::samples_of_ranks> {
  static constexpr text refusal() {
    if (Options.track_running_stats) return {};
    return text() << "sync_batch_norm has running statistics: by them each rank evaluates without the others";
  }
};

namespace forms {

/// batch_norm, whose mean and variance in training are those of the samples of all ranks, of which each has
/// one or more; in fit, all ranks have as many parts of a batch. In a model of data_parallel on
/// tl::cpu_ranks(world),
///   tl::trainer net{model, tl::data_parallel(world, rule), tl::cpu_ranks(world)};
/// Parameters and buffers are those of batch_norm, so files go over; evaluation is batch_norm's, and waits
/// for nobody. Three sums of [channels] or one number travel forward and two back, each when it comes. Where
/// ranks have as many samples, a step is that of one process on all of them; otherwise gradients through the
/// statistics count each rank alike.
/// @formula y = (x - mean) / sqrt(variance + eps) weight + bias, over the samples of all ranks
/// @shapes floating [batch, channels, ..] -> the same
/// @errors sync_batch_norm
/// @torch torch.nn.SyncBatchNorm
/// @jax flax.linen.BatchNorm(axis_name=..)
template <name Name, batch_norm_options Options = batch_norm_options{}>
TAPELESS_FACTORY auto sync_batch_norm(layer_operand auto x) {
  return make<sync_batch_norm_layer<Name, Options>>(x);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto sync_batch_norm(const X&... x) {
  if constexpr (requires { forms::sync_batch_norm<A.value...>(x...); }) {
    return forms::sync_batch_norm<A.value...>(x...);
  } else {
    return detail::refuse_layer<
        sentence{"sync_batch_norm<\"bn1\", tl::batch_norm_options{.eps = 1e-5, .momentum = 0.1}>(x)"}, A...>(
        x...);
  }
}

}  // namespace tapeless
