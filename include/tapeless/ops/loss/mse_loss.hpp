// SPDX-License-Identifier: BSL-1.0
// mse_loss(x, t): the squared difference.
#pragma once

#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/square.hpp>

namespace tapeless {

struct mse_loss_operation {
  static constexpr std::string_view name = "mse_loss";
  static constexpr auto require_options = &detail::require_options<>;
  template <loss Options>
  static constexpr value of(value x, value t) {
    return square(x - t);
  }
};

/// (x - t)^2: predictions and targets of one floating type and shape -> [], or their shape with
/// reduction::none. Either may be a number. Reads loss::reduce.
/// @formula mean of (x - t)^2
/// @shapes floating x and t [..] -> []
/// @errors loss_shapes unread_loss_options loss_option_as_argument
/// @torch torch.nn.functional.mse_loss
/// @jax optax.squared_error (its mean)
/// @given x = [1, 2, 5]; t = [1, 1.5, 2]
/// @gives tl::mse_loss(x, t) = 3.083
/// @gives tl::mse_loss<tl::loss{.reduce = tl::reduction::sum}>(x, t) = 9.25
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto mse_loss(X x, T t, W... sample_weights) {
  return make<loss_statement<mse_loss_operation, Options, sizeof...(W)>>(
      x, t, detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
