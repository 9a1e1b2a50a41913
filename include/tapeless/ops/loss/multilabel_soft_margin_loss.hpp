// SPDX-License-Identifier: BSL-1.0
// multilabel_soft_margin_loss(x, t): the cross-entropy of classes that do not exclude one another, from their
// logits.
#pragma once

#include <tapeless/ops/activation/softplus_operation.hpp>
#include <tapeless/ops/loss/class_labels.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

template <loss Options, int ClassWeights, int SampleWeights = 0>
struct multilabel_soft_margin_loss_statement {
  static constexpr std::string_view name = "multilabel_soft_margin_loss";
  static constexpr int arity = 2 + ClassWeights + SampleWeights;
  static constexpr value build(value x, value t, value third = {}, value fourth = {}) {
    if (!detail::require_options<>(name, Options, x)) return x;
    const value class_weight = ClassWeights > 0 ? third : value{};
    const value sample_weights = SampleWeights == 0 ? value{} : ClassWeights > 0 ? fourth : third;
    detail::leave_out_removed(sample_weights, x, t);
    if (!detail::are_alike(x, t) || x.rank() < 1)
      return detail::do_not_fit(name, {{"logits", x}, {"targets", t}},
                                "two [..., classes] of one floating type and shape");
    if (class_weight.exists() && !detail::class_weight_fits(x, class_weight))
      return detail::class_weight_does_not_fit(name, "logits", x, class_weight);
    value losses = t * softplus(-x) + (1.0 - t) * softplus(x);
    if (class_weight.exists())
      losses = detail::times_factors(class_weight, losses, sample_weights, x.rank() - 1);
    return detail::reduce_weighted(name, mean_operation::build(losses, detail::last_axis(x), false),
                                   Options.reduce, sample_weights);
  }
};

/// The mean over the classes of w (t softplus(-x) + (1 - t) softplus(x)), with softplus(x) = log(1 + e^x):
/// logits and targets in [0, 1], [..., classes] of one floating type -> [], or [...] with reduction::none.
/// The class weights w [classes] are 1 where none are given; the mean divides by the number of rows all the
/// same. Reads loss::reduce.
/// @formula mean of w (t softplus(-x) + (1 - t) softplus(x))
/// @shapes floating x and t [.., classes] -> []
/// @errors loss_shapes unread_loss_options class_weights
/// @torch torch.nn.functional.multilabel_soft_margin_loss
/// @jax optax.sigmoid_binary_cross_entropy (its mean)
/// @given x = [[2, -1]]; t = [[1, 0]]; w = [1, 2]
/// @gives tl::multilabel_soft_margin_loss(x, t, w) = 0.3767
template <loss Options = loss{}, operand X, operand T, class... More>
  requires(detail::own_and_sample_weights<More...>)
TAPELESS_FACTORY auto multilabel_soft_margin_loss(X x, T t, More... weights) {
  constexpr int samples = detail::sample_weights_among<More...>();
  return make<multilabel_soft_margin_loss_statement<Options, int(sizeof...(More)) - samples, samples>>(
      x, t, detail::unwrapped(weights)...);
}

}  // namespace tapeless
