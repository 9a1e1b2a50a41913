// SPDX-License-Identifier: BSL-1.0
// info_nce_loss(queries, keys): each query is to find its key among those of the batch (van den Oord, Li and
// Vinyals, 2018).
#pragma once

#include <limits>

#include <tapeless/ops/linalg/diagonal.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/logical_or.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/logsumexp.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <loss Options, int SampleWeights = 0>
struct info_nce_loss_statement {
  static constexpr std::string_view name = "info_nce_loss";
  static constexpr int arity = 2 + SampleWeights;
  static constexpr text refusal() {
    if (Options.temperature > 0) return {};
    return text() << "info_nce_loss takes a temperature above 0, but got " << Options.temperature;
  }
  static constexpr value build(value queries, value keys, value sample_weights = {}) {
    if (!detail::require_options<&loss::temperature, &loss::symmetric>(name, Options, queries))
      return queries;
    if (!detail::are_alike(queries, keys) || queries.rank() != 2 || keys.rank() != 2)
      return detail::do_not_fit(name, {{"queries", queries}, {"keys", keys}},
                                "two [batch, features] of one floating type and shape");
    const std::int64_t batch = queries.get().shape[0];
    const element type = queries.type();
    value row, column;  // whether the pair counts nothing, [batch, 1] and [1, batch]
    if (sample_weights.exists() && shape_of(sample_weights) == shape_list{1, {batch}}) {
      const value removed = sample_weights == 0.0;
      row = reshape(removed, {2, {batch, 1}});
      column = reshape(removed, {2, {1, batch}});
      queries = where(row, 0.0, queries);
      keys = where(row, 0.0, keys);
    }
    // Products of 16 bits would be a few hundredths off, divided by the temperature.
    const auto wide = [&](value x) { return cast(x, computed_in(type)); };
    constexpr double slope = 1 / Options.temperature;
    value logits = matmul(wide(queries), transpose_last(wide(keys))) * slope;
    if (row.exists()) logits = where(row || column, -std::numeric_limits<double>::infinity(), logits);
    value losses = surprises(logits, 1);
    if (Options.symmetric) losses = 0.5 * (losses + surprises(logits, 0));
    return detail::reduce_weighted(name, cast(losses, type), Options.reduce, sample_weights);
  }

 private:
  // log(sum(e^logits)) along the axis, less the logit of the pair: of large numbers the difference is taken
  // first.
  static constexpr value surprises(value logits, int axis) {
    const logsumexp_operation::parts total = logsumexp_operation::parts_of(logits, 1u << axis);
    return total.rest + (total.largest - diagonal(logits));
  }
};

/// The cross-entropy of finding key i for query i among all keys of the batch, whose logits are the dot
/// products divided by loss::temperature: queries and keys [batch, features] of one floating type and shape
/// -> [], or [batch] with reduction::none. With loss::symmetric it is the mean of this and of finding the
/// query for the key, as in CLIP (Radford et al., 2021). Vectors are taken as they are: normalize them before
/// (tl::normalize(q)), as CLIP, MoCo and SimCLR do. Where the scale is learned, as in CLIP, it is a factor of
/// the queries, and the temperature 1. A pair whose sample weight is 0 is no other's negative either. Reads
/// loss::reduce, loss::temperature (0.07 by default, as in MoCo) and loss::symmetric.
/// @formula mean over i of -log(e^(q_i . k_i / temperature) / sum_j e^(q_i . k_j / temperature))
/// @shapes floating queries and keys [batch, features] -> []
/// @errors loss_shapes unread_loss_options
/// @torch none in torch: cross_entropy(q @ k.T / temperature, torch.arange(batch))
/// @jax optax.losses.ntxent (of labelled batches)
/// @given q = [[1, 0], [0.6, 0.8]]; k = [[0.6, 0.8], [0, 1]]
/// @gives tl::info_nce_loss<tl::loss{.temperature = 0.5}>(q, k) = 0.5881
/// @gives tl::info_nce_loss<tl::loss{.temperature = 0.5, .symmetric = true}>(q, k) = 0.6328
template <loss Options = loss{}, operand Q, operand K, sample_weights_operand... W>
  requires(sizeof...(W) <= 1)
TAPELESS_FACTORY auto info_nce_loss(Q queries, K keys, W... sample_weights) {
  return make<info_nce_loss_statement<Options, sizeof...(W)>>(queries, keys,
                                                              detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
