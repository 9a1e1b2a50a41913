// SPDX-License-Identifier: BSL-1.0
// binary_focal_loss(p, t): the cross-entropy of probabilities of two classes, in which what is right already
// counts little (Lin et al., 2017).
#pragma once

#include <tapeless/ops/loss/bce_loss.hpp>
#include <tapeless/ops/loss/focal_options.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/pow.hpp>
#include <tapeless/ops/pointwise/square.hpp>

namespace tapeless {

struct binary_focal_loss_operation {
  static constexpr std::string_view name = "binary_focal_loss";
  static constexpr auto require_options = &detail::require_options<&loss::alpha, &loss::gamma>;
  template <loss Options>
  static constexpr text refusal() {
    return detail::refused_focal<Options>(name);
  }
  template <loss Options>
  static constexpr value of(value p, value t) {
    const element type = p.type() == element::number ? t.type() : p.type();
    if (is_half(type))
      return cast(of<Options>(cast(p, computed_in(p.type())), cast(t, computed_in(t.type()))), type);
    const value losses = bce_loss_operation::of<Options>(p, t);
    const value wrong = t * (1.0 - p) + (1.0 - t) * p;
    return detail::times_alpha<Options>(power<Options.gamma>(wrong) * losses, t);
  }

 private:
  // (1 - p_t)^gamma, without a derivative where it is 0: that would be infinite for a gamma below 1, beside a
  // loss that is 0.
  template <double Gamma>
  static constexpr value power(value wrong) {
    if constexpr (Gamma == 0) return make_constant(*wrong.builder, 1, wrong.type());
    if constexpr (Gamma == 1) return wrong;
    if constexpr (Gamma == 2) return square(wrong);
    const value some = wrong > 0.0;
    return where(some, pow(where(some, wrong, 1.0), Gamma), 0.0);
  }
};

/// sigmoid_focal_loss of probabilities: alpha_t (1 - p_t)^gamma (-log(p_t)) with p_t = p t + (1 - p) (1 - t)
/// and alpha_t = alpha t + (1 - alpha) (1 - t); for targets between 0 and 1 the logarithm is bce_loss, whose
/// logarithms are -100 or more. sigmoid_focal_loss of logits keeps its digits, and its slope, where p is near
/// 0 or 1. Probabilities and targets, both in [0, 1], of one floating type and shape -> [], or their shape
/// with reduction::none; either may be a number. Reads loss::reduce, loss::alpha (0.25 by default; -1: no
/// weights) and loss::gamma (2 by default).
/// @formula mean of alpha_t (1 - p_t)^gamma (-log(p_t))
/// @shapes floating p and t [..] -> []
/// @errors loss_shapes unread_loss_options
/// @torch none in torch: keras.losses.BinaryFocalCrossentropy(apply_class_balancing=True)
/// @jax none: optax.losses.sigmoid_focal_loss takes logits
/// @given p = [0.9, 0.2]; t = [1, 0]
/// @gives tl::binary_focal_loss(p, t) = 0.003479
template <loss Options = loss{}, class P, class T, sample_weights_operand... W>
  requires(operands<P, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto binary_focal_loss(P p, T t, W... sample_weights) {
  return make<loss_statement<binary_focal_loss_operation, Options, sizeof...(W)>>(
      p, t, detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
