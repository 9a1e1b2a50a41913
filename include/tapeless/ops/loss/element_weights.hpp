// SPDX-License-Identifier: BSL-1.0
// element_weights(w): factors of the single losses of bce_loss and bce_with_logits_loss.
#pragma once

#include <tapeless/ops/loss/loss_options.hpp>

namespace tapeless {

/// What element_weights returns: an operand of bce_loss and bce_with_logits_loss, before sample_weights(w).
template <class W>
struct element_weights_of {
  W weights;
};

/// Factors of the single losses of bce_loss and bce_with_logits_loss, as PyTorch's `weight`: bce_loss(p, t,
/// element_weights(w)). They broadcast to the losses' shape, and each loss is w times as large. The mean
/// divides by the number of losses all the same, while that of sample_weights(w) divides by the sum of the
/// weights. Derivatives flow to them, too.
/// @formula mean of w loss
/// @shapes weights of the losses' floating type that broadcast to their shape -> an operand of a loss
/// @errors element_weights
/// @torch torch.nn.functional.binary_cross_entropy(weight=)
/// @jax jnp.mean(w * losses)
/// @given p = [0.9, 0.2]; t = [1, 0]; w = [1, 3]
/// @gives tl::bce_loss(p, t, tl::element_weights(w)) = 0.3874
template <class W>
TAPELESS_FACTORY auto element_weights(W w) {
  return element_weights_of<W>{w};
}

namespace detail {

template <class X>
inline constexpr int element_weights_in = 0;
template <class W>
inline constexpr int element_weights_in<element_weights_of<W>> = 1;

/// How many of the operands are element weights.
template <class... X>
constexpr int element_weights_among() {
  return (0 + ... + element_weights_in<X>);
}

/// Whether behind at most `Own` weights of the loss itself stand element weights, sample weights, both in
/// this order, or none.
template <int Own, class... X>
constexpr bool weights_in_order() {
  const int ranks[] = {(sample_weights_in<X> == 1 ? 2 : element_weights_in<X>)..., 3};
  int own = 0;
  for (int i = 0; i < int(sizeof...(X)); ++i) {
    if (ranks[i] > ranks[i + 1] || (ranks[i] == ranks[i + 1] && ranks[i] > 0)) return false;
    if (ranks[i] == 0) ++own;
  }
  return own <= Own;
}

template <class X>
TAPELESS_FACTORY auto weights_of(X x) {
  if constexpr (element_weights_in<X> == 1 || sample_weights_in<X> == 1) {
    return x.weights;
  } else {
    return x;
  }
}

/// The single losses times the weights of the elements, where these exist.
constexpr value times_elements(std::string_view op, value losses, value weights, value sample_weights) {
  if (!weights.exists() || losses.builder->failed()) return losses;
  shape_list shape;
  const bool fit = weights.type() == losses.type() || weights.type() == element::number;
  if (!fit || !broadcast(shape_of(losses), shape_of(weights), shape) || !(shape == shape_of(losses)))
    return do_not_fit(op, {{"losses", losses}, {"element weights", weights}},
                      "element weights of the same element type that broadcast to the shape of the losses");
  return times_factors(weights, losses, sample_weights);
}

}  // namespace detail

}  // namespace tapeless
