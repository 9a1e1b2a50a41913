// SPDX-License-Identifier: BSL-1.0
// smooth_l1_loss(x, t): the absolute difference, a square near 0 (Girshick, 2015).
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct smooth_l1_loss_operation {
  static constexpr std::string_view name = "smooth_l1_loss";
  static constexpr auto require_options = &detail::require_options<&loss::beta>;
  template <loss Options>
  static constexpr text refusal() {
    constexpr double beta = detail::given(Options.beta, 1);
    if (beta >= 0) return {};
    return text() << name << " takes a beta of 0 or more, but got " << beta;
  }
  template <loss Options>
  static constexpr value of(value x, value t) {
    constexpr double beta = detail::given(Options.beta, 1);
    const value d = x - t, size = abs(d);
    if constexpr (beta == 0) {
      return size;
    } else {
      const value near = size < beta;  // as in huber_loss
      return where(near, square(where(near, d, 0.0)) * (0.5 / beta), size - 0.5 * beta);
    }
  }
};

/// With d = |x - t|: d^2 / (2 beta) where d < beta, d - beta / 2 elsewhere; l1_loss where beta is 0. The
/// second derivative is 1 / beta where d < beta, 0 elsewhere.
/// Predictions and targets of one floating type and shape -> [], or their shape with reduction::none. Either
/// may be a number. Reads loss::reduce and loss::beta (1 by default).
/// @formula mean of d^2 / (2 beta) where d < beta, d - beta / 2 elsewhere, d = |x - t|
/// @shapes floating x and t [..] -> []
/// @errors loss_shapes unread_loss_options loss_option_alone
/// @torch torch.nn.functional.smooth_l1_loss
/// @jax optax.huber_loss(delta=beta) / beta
/// @given x = [1, 2, 5]; t = [1, 1.5, 2]
/// @gives tl::smooth_l1_loss(x, t) = 0.875
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto smooth_l1_loss(X x, T t, W... sample_weights) {
  return make<loss_statement<smooth_l1_loss_operation, Options, sizeof...(W)>>(
      x, t, detail::weights_in(sample_weights)...);
}

// Its number alone.
template <plain_number auto N, detail::called_with X, class... More>
constexpr auto smooth_l1_loss(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"smooth_l1_loss"}, sentence{"its options are a tl::loss"},
                             sentence{"<tl::loss{.beta = 0.1}>(x, t)"}>(x, more...);
}

}  // namespace tapeless
