// SPDX-License-Identifier: BSL-1.0
// bce_with_logits_loss(x, t): the cross-entropy of two classes, from the logit of one.
#pragma once

#include <tapeless/ops/activation/softplus_operation.hpp>
#include <tapeless/ops/loss/element_weights.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

template <loss Options, int PositiveWeights, int SampleWeights = 0, int ElementWeights = 0>
struct bce_with_logits_loss_statement {
  static constexpr std::string_view name = "bce_with_logits_loss";
  static constexpr int arity = 2 + PositiveWeights + ElementWeights + SampleWeights;
  static constexpr value build(value x, value t, value third = {}, value fourth = {}, value fifth = {}) {
    if (!detail::require_options<>(name, Options, x)) return x;
    const value weights[] = {third, fourth, fifth, {}};
    const value positive_weight = PositiveWeights > 0 ? third : value{};
    const value element_weights = ElementWeights > 0 ? weights[PositiveWeights] : value{};
    const value sample_weights = SampleWeights > 0 ? weights[PositiveWeights + ElementWeights] : value{};
    detail::leave_out_removed(sample_weights, x, t);
    if (!detail::are_alike(x, t))
      return detail::do_not_fit(name, {{"logits", x}, {"targets", t}}, "two of one floating type and shape");
    // One softplus would do, as softplus(x) = x + softplus(-x), but small losses would lose their digits.
    value positive = t * softplus(-x);
    if (positive_weight.exists()) {
      shape_list shape;
      if (!(broadcast(shape_of(x), shape_of(positive_weight), shape) && shape == shape_of(x)))
        return detail::do_not_fit(name, {{"logits", x}, {"positive weights", positive_weight}},
                                  "positive weights that broadcast to the shape of the logits");
      positive = detail::times_factors(positive_weight, positive, sample_weights);
    }
    const value losses = positive + (1.0 - t) * softplus(x);
    return detail::reduce_weighted(name,
                                   detail::times_elements(name, losses, element_weights, sample_weights),
                                   Options.reduce, sample_weights);
  }
};

/// w t softplus(-x) + (1 - t) softplus(x), with softplus(x) = log(1 + e^x), without overflow: logits and
/// targets in [0, 1] of one floating type and shape -> [], or their shape with reduction::none. Either may be
/// a number. The weights w of the positive class broadcast to that shape; without any, w is 1. Behind them
/// element_weights(w) may follow, PyTorch's `weight`, and sample_weights(w). Reads loss::reduce.
/// @formula mean of w t softplus(-x) + (1 - t) softplus(x)
/// @shapes floating x and t [..] -> []
/// @errors loss_shapes unread_loss_options positive_weights element_weights bce_weights
/// @torch torch.nn.functional.binary_cross_entropy_with_logits
/// @jax optax.sigmoid_binary_cross_entropy
/// @given x = [2, -1]; t = [1, 0]
/// @gives tl::bce_with_logits_loss(x, t) = 0.2201
template <loss Options = loss{}, class X, class T, class... W>
  requires(operands<X, T> && sizeof...(W) <= 3)
TAPELESS_FACTORY auto bce_with_logits_loss(X x, T t, W... weights) {
  if constexpr (!detail::weights_in_order<1, W...>()) {
    return detail::refuse_weights<sentence{
        "bce_with_logits_loss takes the weights of the positive class, then "
        "tl::element_weights(w), factors of the single losses, then "
        "tl::sample_weights(w)"}>(x, t, weights...);
  } else {
    constexpr int samples = detail::sample_weights_among<W...>(),
                  elements = detail::element_weights_among<W...>();
    return make<
        bce_with_logits_loss_statement<Options, int(sizeof...(W)) - samples - elements, samples, elements>>(
        x, t, detail::weights_of(weights)...);
  }
}

}  // namespace tapeless
