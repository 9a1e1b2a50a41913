// SPDX-License-Identifier: BSL-1.0
// tversky_loss(p, t): dice_loss, in which false positives and false negatives count differently (Salehi,
// Erdogmus and Gholipour, 2017).
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

template <loss Options, int SampleWeights = 0>
struct tversky_loss_statement {
  static constexpr double alpha = detail::given(Options.alpha, 0.5), beta = detail::given(Options.beta, 0.5);
  static constexpr double eps = detail::given(Options.eps, 1e-5);
  static constexpr std::string_view name = "tversky_loss";
  static constexpr text refusal() {
    if (!(alpha >= 0 && beta >= 0))
      return text() << name << " takes an alpha and a beta of 0 or more, but got " << alpha << " and "
                    << beta;
    if (!(eps > 0)) return text() << name << " takes an eps above 0, but got " << eps;
    return {};
  }
  static constexpr int arity = 2 + SampleWeights;
  static constexpr value build(value p, value t, value sample_weights = {}) {
    if (!detail::require_options<&loss::alpha, &loss::beta, &loss::eps>(name, Options, p)) return p;
    detail::leave_out_removed(sample_weights, p, t);
    if (!detail::are_alike(p, t) || p.rank() < 2 || t.rank() < 2)
      return detail::do_not_fit(name, {{"probabilities", p}, {"targets", t}},
                                "two [batch, ...] of one floating type and shape");
    const element type = p.type();
    const unsigned samples = detail::all_axes(p) & ~1u;
    p = cast(p, computed_in(type));  // sums of 16 bits could be infinite
    t = cast(t, computed_in(type));
    const value both = p * t, wrong = alpha * (p * (1.0 - t)) + beta * ((1.0 - p) * t);
    const value right = sum_operation::build(both, samples, false) + eps;
    const value losses = cast(1.0 - right / (right + sum_operation::build(wrong, samples, false)), type);
    return detail::reduce_weighted(name, losses, Options.reduce, sample_weights);
  }
};

/// 1 - (tp + eps) / (tp + alpha fp + beta fn + eps) for each sample, with tp = sum(p t), fp = sum(p (1 - t))
/// and fn = sum((1 - p) t) over all axes but the first: probabilities and targets [batch, ...], in [0, 1] and
/// of one floating type and shape -> [], or [batch] with reduction::none. A beta above alpha finds more of
/// what is rare: the paper's are 0.3 and 0.7. Of two empty sets it is 0; where alpha and beta are 0.5 it is
/// dice_loss of twice the eps. Reads loss::reduce, loss::alpha and loss::beta (0.5 by default) and loss::eps
/// (1e-5 by default).
/// @formula mean over the batch of 1 - (tp + eps) / (tp + alpha fp + beta fn + eps)
/// @shapes floating p and t [batch, ..] -> []
/// @errors loss_shapes unread_loss_options loss_option_as_argument
/// @torch none in torch: monai.losses.TverskyLoss (for each channel)
/// @jax none: written out in models
/// @given p = [[1, 0.5, 0], [0, 0, 0]]; t = [[1, 1, 0], [0, 0, 0]]
/// @gives tl::tversky_loss(p, t) = 0.07143
/// @gives tl::tversky_loss<tl::loss{.alpha = 0.3, .beta = 0.7}>(p, t) = 0.09459
template <loss Options = loss{}, operand P, operand T, sample_weights_operand... W>
  requires(sizeof...(W) <= 1)
TAPELESS_FACTORY auto tversky_loss(P p, T t, W... sample_weights) {
  return make<tversky_loss_statement<Options, sizeof...(W)>>(p, t, detail::weights_in(sample_weights)...);
}

// Its two weights as arguments.
template <operand P, operand T>
TAPELESS_FACTORY auto tversky_loss(P p, T t, plain_number auto alpha, plain_number auto beta) {
  return detail::refuse_call<sentence{"tversky_loss"}, sentence{"its options are a tl::loss"},
                             sentence{"<tl::loss{.alpha = 0.3, .beta = 0.7}>(p, t)"}>(p, t, alpha, beta);
}

}  // namespace tapeless
