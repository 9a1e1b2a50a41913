// SPDX-License-Identifier: BSL-1.0
// triplet_margin_loss(anchor, positive, negative): the anchor comes nearer to the positive than to the
// negative by a margin (Balntas et al., 2016).
#pragma once

#include <tapeless/ops/activation/relu.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/reduction/norm.hpp>

namespace tapeless {

template <loss Options, int SampleWeights = 0>
struct triplet_margin_loss_statement {
  static constexpr double power = detail::given(Options.power, 2);
  static constexpr std::string_view name = "triplet_margin_loss";
  static constexpr int arity = 3 + SampleWeights;
  static constexpr text refusal() {
    if (power >= 1) return {};
    return text() << "triplet_margin_loss takes a power of 1 or more, but got " << power;
  }
  static constexpr value build(value anchor, value positive, value negative, value sample_weights = {}) {
    if (!detail::require_options<&loss::margin, &loss::power, &loss::eps, &loss::swap>(name, Options, anchor))
      return anchor;
    detail::leave_out_removed(sample_weights, anchor, positive, negative);
    if (!detail::are_alike(anchor, positive) || !detail::are_alike(anchor, negative) || anchor.rank() < 1 ||
        positive.rank() < 1 || negative.rank() < 1)
      return detail::do_not_fit(name, {{"anchors", anchor}, {"positives", positive}, {"negatives", negative}},
                                "three [..., features] of one floating type and shape");
    value apart = distance(anchor, negative);
    if (Options.swap) apart = min(apart, distance(positive, negative));
    const value short_of = distance(anchor, positive) - apart + detail::given(Options.margin, 1);
    return detail::reduce_weighted(name, relu(short_of), Options.reduce, sample_weights);
  }

 private:
  static constexpr value distance(value a, value b) {
    const value d = a - b + detail::given(Options.eps, 1e-6);
    return norm_operation<power>::build(d, detail::last_axis(d), false);
  }
};

/// max(0, |anchor - positive + eps| - |anchor - negative + eps| + margin), with the norm of order
/// loss::power: three [..., features] of one floating type and shape -> [], or [...] with reduction::none.
/// With loss::swap, the distance of positive and negative stands for that of anchor and negative where it is
/// smaller (Balntas et al., 2016). Reads loss::reduce, loss::margin, loss::power (2 by default), loss::swap,
/// and loss::eps (1e-6 by default), which keeps the derivative finite where two are equal.
/// @formula mean of max(0, |a - p + eps| - |a - n + eps| + margin)
/// @shapes three floating [.., features] -> []
/// @errors loss_shapes unread_loss_options
/// @torch torch.nn.functional.triplet_margin_loss
/// @jax optax.losses.triplet_margin_loss
/// @given a = [[0, 0]]; p = [[1, 0]]; n = [[0, 1.5]]
/// @gives tl::triplet_margin_loss(a, p, n) = 0.5
template <loss Options = loss{}, operand A, operand P, operand N, sample_weights_operand... W>
  requires(sizeof...(W) <= 1)
TAPELESS_FACTORY auto triplet_margin_loss(A anchor, P positive, N negative, W... sample_weights) {
  return make<triplet_margin_loss_statement<Options, sizeof...(W)>>(anchor, positive, negative,
                                                                    detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
