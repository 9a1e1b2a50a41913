// SPDX-License-Identifier: BSL-1.0
// bce_loss(p, t): the cross-entropy of probabilities of two classes.
#pragma once

#include <tapeless/ops/loss/element_weights.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

namespace detail {

/// A logarithm that is -100 where it would be less, and has the derivative 0 there.
constexpr value bounded_log(value p) {
  const value below = p <= 3.720075976020836e-44;  // e^-100
  return where(below, -100.0, log(where(below, 1.0, p)));
}

}  // namespace detail

struct bce_loss_operation {
  static constexpr std::string_view name = "bce_loss";
  static constexpr auto require_options = &detail::require_options<>;
  template <loss Options>
  static constexpr value of(value x, value t) {
    return (t - 1.0) * detail::bounded_log(1.0 - x) - t * detail::bounded_log(x);
  }
};

template <loss Options, int SampleWeights>
struct weighted_bce_loss_statement {
  static constexpr std::string_view name = bce_loss_operation::name;
  static constexpr int arity = 3 + SampleWeights;
  static constexpr value build(value x, value t, value element_weights, value sample_weights = {}) {
    if (!detail::require_options<>(name, Options, x)) return x;
    detail::leave_out_removed(sample_weights, x, t);
    constexpr loss single{.reduce = reduction::none};
    const value losses = loss_statement<bce_loss_operation, single>::build(x, t);
    return detail::reduce_weighted(name,
                                   detail::times_elements(name, losses, element_weights, sample_weights),
                                   Options.reduce, sample_weights);
  }
};

/// -(t log(p) + (1 - t) log(1 - p)), where no logarithm is below -100; its derivative is 0 there.
/// Probabilities and targets, both in [0, 1], of one floating type and shape -> [], or their shape with
/// reduction::none. Either may be a number. element_weights(w), and behind them sample_weights(w), may
/// follow. Reads loss::reduce.
/// @formula mean of -(t log(p) + (1 - t) log(1 - p)), each logarithm at least -100
/// @shapes floating p and t [..] -> []
/// @errors loss_shapes unread_loss_options element_weights bce_weights
/// @torch torch.nn.functional.binary_cross_entropy
/// @jax none: optax.sigmoid_binary_cross_entropy takes logits
/// @given p = [0.9, 0.2]; t = [1, 0]
/// @gives tl::bce_loss(p, t) = 0.1643
template <loss Options = loss{}, class X, class T, class... W>
  requires(operands<X, T> && sizeof...(W) <= 2)
TAPELESS_FACTORY auto bce_loss(X x, T t, W... weights) {
  if constexpr (!detail::weights_in_order<0, W...>()) {
    return detail::refuse_weights<sentence{
        "bce_loss takes weights as tl::element_weights(w), factors of the "
        "single losses, or as tl::sample_weights(w)"}>(x, t, weights...);
  } else if constexpr (detail::element_weights_among<W...>() == 0) {
    return make<loss_statement<bce_loss_operation, Options, sizeof...(W)>>(x, t, weights.weights...);
  } else {
    return make<weighted_bce_loss_statement<Options, int(sizeof...(W)) - 1>>(x, t, weights.weights...);
  }
}

}  // namespace tapeless
