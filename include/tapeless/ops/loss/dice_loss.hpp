// SPDX-License-Identifier: BSL-1.0
// dice_loss(p, t): how little two soft sets overlap (Milletari, Navab and Ahmadi, 2016).
#pragma once

#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

template <loss Options, int SampleWeights = 0>
struct dice_loss_statement {
  static constexpr double eps = detail::given(Options.eps, 1e-5);
  static constexpr std::string_view name = "dice_loss";
  static constexpr int arity = 2 + SampleWeights;
  static constexpr text refusal() {
    if (eps > 0) return {};
    return text() << "dice_loss takes an eps above 0, but got " << eps;
  }
  static constexpr value build(value p, value t, value sample_weights = {}) {
    if (!detail::require_options<&loss::eps>(name, Options, p)) return p;
    detail::leave_out_removed(sample_weights, p, t);
    if (!detail::are_alike(p, t) || p.rank() < 2 || t.rank() < 2)
      return detail::do_not_fit(name, {{"probabilities", p}, {"targets", t}},
                                "two [batch, ...] of one floating type and shape");
    const unsigned samples = detail::all_axes(p) & ~1u;
    const element type = computed_in(p.type());  // sums of 16 bits could be infinite
    const value both = sum_operation::build(cast(p * t, type), samples, false);
    const value all = sum_operation::build(cast(p + t, type), samples, false);
    const value losses = cast(1.0 - (2.0 * both + eps) / (all + eps), p.type());
    return detail::reduce_weighted(name, losses, Options.reduce, sample_weights);
  }
};

/// 1 - (2 sum(p t) + eps) / (sum(p) + sum(t) + eps) for each sample, over all axes but the first:
/// probabilities and targets [batch, ...], in [0, 1] and of one floating type and shape -> [], or [batch]
/// with reduction::none. Of two empty sets it is 0. Reads loss::reduce and loss::eps (1e-5 by default).
/// @formula mean over the batch of 1 - (2 sum(p t) + eps) / (sum(p) + sum(t) + eps)
/// @shapes floating p and t [batch, ..] -> []
/// @errors loss_shapes unread_loss_options loss_option_as_argument
/// @torch none in torch: monai.losses.DiceLoss (for each channel)
/// @jax none: written out in models
/// @given p = [[1, 0.5, 0], [0, 0, 0]]; t = [[1, 1, 0], [0, 0, 0]]
/// @gives tl::dice_loss(p, t) = 0.07143
template <loss Options = loss{}, operand P, operand T, sample_weights_operand... W>
  requires(sizeof...(W) <= 1)
TAPELESS_FACTORY auto dice_loss(P p, T t, W... sample_weights) {
  return make<dice_loss_statement<Options, sizeof...(W)>>(p, t, detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
