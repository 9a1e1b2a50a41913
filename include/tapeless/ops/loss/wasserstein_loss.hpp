// SPDX-License-Identifier: BSL-1.0
// wasserstein_loss(p, q): how far probability has to be moved along a line of bins (Kantorovich, 1942).
#pragma once

#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/reduction/cumsum.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

template <loss Options, int SampleWeights = 0>
struct wasserstein_loss_statement {
  static constexpr std::string_view name = "wasserstein_loss";
  static constexpr int arity = 2 + SampleWeights;
  static constexpr value build(value p, value q, value sample_weights = {}) {
    if (!detail::require_options<>(name, Options, p)) return p;
    detail::leave_out_removed(sample_weights, p, q);
    if (!detail::are_alike(p, q) || p.rank() < 1 || q.rank() < 1)
      return detail::do_not_fit(name, {{"probabilities", p}, {"targets", q}},
                                "two [..., bins] of one floating type and shape");
    const value moved = abs(cumsum_statement<-1>::build(p - q));
    return detail::reduce_weighted(name, sum_operation::build(moved, detail::last_axis(moved), false),
                                   Options.reduce, sample_weights);
  }
};

/// The 1-Wasserstein distance of two distributions over bins that stand in a row, one apart: the sum of
/// |P - Q| of their cumulative sums. Probabilities and targets, [..., bins] of one floating type and shape,
/// which sum to the same -> [], or [...] with reduction::none. For bins that are h apart, h times that.
/// Reads loss::reduce.
/// @formula mean of sum_i |sum_(j <= i) (p_j - q_j)|
/// @shapes floating p and q [.., bins] -> []
/// @errors loss_shapes unread_loss_options
/// @torch none in torch: scipy.stats.wasserstein_distance(bins, bins, p, q)
/// @jax none: jnp.sum(jnp.abs(jnp.cumsum(p - q, -1)), -1)
/// @given p = [[0.5, 0.5, 0]]; q = [[0, 0.5, 0.5]]
/// @gives tl::wasserstein_loss(p, q) = 1
template <loss Options = loss{}, operand P, operand Q, sample_weights_operand... W>
  requires(sizeof...(W) <= 1)
TAPELESS_FACTORY auto wasserstein_loss(P p, Q q, W... sample_weights) {
  return make<wasserstein_loss_statement<Options, sizeof...(W)>>(p, q, detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
