// SPDX-License-Identifier: BSL-1.0
// soft_margin_loss(x, y): the logistic loss of two classes, 1 and -1.
#pragma once

#include <tapeless/ops/activation/softplus_operation.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct soft_margin_loss_operation {
  static constexpr std::string_view name = "soft_margin_loss";
  static constexpr auto require_options = &detail::require_options<>;
  template <loss Options>
  static constexpr value of(value x, value y) {
    return softplus(-y * x);
  }
};

/// log(1 + e^(-y x)), without overflow: predictions and targets y, each 1 or -1, of one floating type and
/// shape -> [], or their shape with reduction::none. Reads loss::reduce.
/// @formula mean of log(1 + e^(-y x))
/// @shapes floating x and y [..] -> []
/// @errors loss_shapes unread_loss_options
/// @torch torch.nn.functional.soft_margin_loss
/// @jax jax.nn.softplus(-y * x)
/// @given x = [2, 0.5, -1]; y = [1, -1, -1]
/// @gives tl::soft_margin_loss(x, y) = 0.4714
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto soft_margin_loss(X x, T t, W... sample_weights) {
  return make<loss_statement<soft_margin_loss_operation, Options, sizeof...(W)>>(
      x, t, detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
