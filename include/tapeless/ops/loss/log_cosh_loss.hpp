// SPDX-License-Identifier: BSL-1.0
// log_cosh_loss(x, t): half a square near 0, an absolute difference far from it, smooth everywhere.
#pragma once

#include <tapeless/ops/activation/softplus.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/less.hpp>
#include <tapeless/ops/pointwise/log1p.hpp>
#include <tapeless/ops/pointwise/sinh.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct log_cosh_loss_operation {
  static constexpr std::string_view name = "log_cosh_loss";
  static constexpr auto require_options = &detail::require_options<>;
  template <loss Options>
  static constexpr value of(value x, value t) {
    const value e = x - t, size = abs(e), near = size < 1.0;
    // Near 0 without a difference of large numbers, in derivatives, too; far from it without cosh's overflow.
    return where(near, log1p(2.0 * square(sinh(0.5 * where(near, e, 0.0)))),
                 size + softplus(-2.0 * size) - 0.6931471805599453094);
  }
};

/// The logarithm of the hyperbolic cosine of x - t. Predictions and targets of one floating type and shape
/// -> [], or their shape with reduction::none. Either may be a number. Reads loss::reduce.
/// @formula mean of log(cosh(x - t))
/// @shapes floating x and t [..] -> []
/// @errors loss_shapes unread_loss_options
/// @torch none
/// @jax optax.log_cosh
/// @given x = [1, 2, 5]; t = [1, 1.5, 2]
/// @gives tl::log_cosh_loss(x, t) = 0.8098
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto log_cosh_loss(X x, T t, W... sample_weights) {
  return make<loss_statement<log_cosh_loss_operation, Options, sizeof...(W)>>(
      x, t, detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
