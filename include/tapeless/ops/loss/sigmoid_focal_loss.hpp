// SPDX-License-Identifier: BSL-1.0
// sigmoid_focal_loss(x, t): the cross-entropy of two classes, from the logit of one, in which what is right
// already counts little (Lin et al., 2017).
#pragma once

#include <tapeless/ops/activation/softplus_operation.hpp>
#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/loss/focal_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/min.hpp>
#include <tapeless/ops/pointwise/pow.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct sigmoid_focal_loss_operation {
  static constexpr std::string_view name = "sigmoid_focal_loss";
  static constexpr auto require_options = &detail::require_options<&loss::alpha, &loss::gamma>;
  template <loss Options>
  static constexpr text refusal() {
    return detail::refused_focal<Options>(name);
  }
  template <loss Options>
  static constexpr value of(value x, value t) {
    const element type = x.type() == element::number ? t.type() : x.type();
    if (is_half(type))
      return cast(of<Options>(cast(x, computed_in(x.type())), cast(t, computed_in(t.type()))), type);
    // p = e^-softplus(-x), so that 1 - p_t keeps its digits where it is small
    const value below = softplus(-x), above = softplus(x);
    const auto wrong = [&] { return t * exp(-above) + (1.0 - t) * exp(-below); };
    value losses = t * below + (1.0 - t) * above;
    if constexpr (Options.gamma == 1) {
      losses = losses * wrong();
    } else if constexpr (Options.gamma == 2) {
      losses = losses * square(wrong());
    } else if constexpr (Options.gamma > 0) {
      constexpr double gamma = Options.gamma;
      losses = losses * power_of_wrong(t, below, above, gamma);
    }
    return detail::times_alpha<Options>(losses, t);
  }

 private:
  // (1 - p_t)^gamma as e^(gamma l) (t e^(-above - l) + (1 - t) e^(-below - l))^gamma for the logarithm l of
  // the larger part, or of the only one: the derivatives, too, are finite where 1 - p_t is small.
  static constexpr value power_of_wrong(value t, value below, value above, double gamma) {
    const value largest = stop_gradient(where(t == 1.0, -above, where(t == 0.0, -below, -min(below, above))));
    const auto part = [&](value share, value x) { return share * exp(min(-x - largest, 80.0)); };
    return exp(gamma * largest) * pow(part(t, above) + part(1.0 - t, below), gamma);
  }
};

/// alpha_t (1 - p_t)^gamma (-log(p_t)), with p = sigmoid(x), p_t = p t + (1 - p) (1 - t) and alpha_t =
/// alpha t + (1 - alpha) (1 - t); for targets between 0 and 1 the logarithm is their cross-entropy. Logits
/// and targets of one floating type and shape -> [], or their shape with reduction::none. Reads loss::reduce
/// (torchvision's default is reduction::none), loss::alpha (0.25 by default; -1: no weights) and loss::gamma
/// (2 by default).
/// @formula mean of alpha_t (1 - p_t)^gamma (-log(p_t)), p = sigmoid(x)
/// @shapes floating x and t [..] -> []
/// @errors loss_shapes unread_loss_options
/// @torch torchvision.ops.sigmoid_focal_loss
/// @jax optax.losses.sigmoid_focal_loss
/// @given x = [2, -1]; t = [1, 0]
/// @gives tl::sigmoid_focal_loss(x, t) = 0.008722
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto sigmoid_focal_loss(X x, T t, W... sample_weights) {
  return make<loss_statement<sigmoid_focal_loss_operation, Options, sizeof...(W)>>(
      x, t, detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
