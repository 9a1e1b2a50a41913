// SPDX-License-Identifier: BSL-1.0
// bce_loss(p, t): the cross-entropy of probabilities of two classes.
#pragma once

#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct bce_loss_operation {
  static constexpr std::string_view name = "bce_loss";
  template <loss Options>
  static constexpr value of(value x, value t) {
    return (t - 1.0) * bounded_log(1.0 - x) - t * bounded_log(x);
  }

 private:
  static constexpr value bounded_log(value p) {
    const value inside = p > 3.720075976020836e-44;  // e^-100
    return where(inside, log(where(inside, p, 1.0)), -100.0);
  }
};

/// -(t log(p) + (1 - t) log(1 - p)), where no logarithm is below -100; its derivative is 0 there.
/// Probabilities and targets, both in [0, 1], of one floating type and shape -> [], or their shape with
/// reduction::none. Either may be a number. Reads loss::reduce.
/// @formula mean of -(t log(p) + (1 - t) log(1 - p)), each logarithm at least -100
/// @shapes floating p and t [..] -> []
/// @errors loss_shapes
/// @torch torch.nn.functional.binary_cross_entropy
/// @jax none: optax.sigmoid_binary_cross_entropy takes logits
/// @given p = [0.9, 0.2]; t = [1, 0]
/// @gives tl::bce_loss(p, t) = 0.1643
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto bce_loss(X x, T t, W... sample_weights) {
  return make<loss_statement<bce_loss_operation, Options, sizeof...(W)>>(x, t, sample_weights.weights...);
}

}  // namespace tapeless
