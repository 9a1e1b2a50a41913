// SPDX-License-Identifier: BSL-1.0
// l1_loss(x, t): the absolute difference.
#pragma once

#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct l1_loss_operation {
  static constexpr std::string_view name = "l1_loss";
  static constexpr auto require_options = &detail::require_options<>;
  template <loss Options>
  static constexpr value of(value x, value t) {
    return abs(x - t);
  }
};

/// |x - t|: predictions and targets of one floating type and shape -> [], or their shape with
/// reduction::none. Either may be a number. Reads loss::reduce. The derivative where they are equal is 0.
/// @formula mean of |x - t|
/// @shapes floating x and t [..] -> []
/// @errors loss_shapes unread_loss_options
/// @torch torch.nn.functional.l1_loss
/// @jax jnp.mean(jnp.abs(x - t))
/// @given x = [1, 2, 5]; t = [1, 1.5, 2]
/// @gives tl::l1_loss(x, t) = 1.167
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto l1_loss(X x, T t, W... sample_weights) {
  return make<loss_statement<l1_loss_operation, Options, sizeof...(W)>>(
      x, t, detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
