// SPDX-License-Identifier: BSL-1.0
// poisson_nll_loss(x, t): the negative log-likelihood of counts that are Poisson distributed.
#pragma once

#include <numbers>

#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct poisson_nll_loss_operation {
  static constexpr std::string_view name = "poisson_nll_loss";
  static constexpr auto require_options = &detail::require_options<&loss::log_input, &loss::eps, &loss::full>;
  template <loss Options>
  static constexpr value of(value x, value t) {
    const value without_constant =
        Options.log_input ? exp(x) - t * x : x - t * log(x + detail::given(Options.eps, 1e-8));
    return Options.full ? without_constant + log_factorial(t) : without_constant;
  }

 private:
  // Stirling's approximation; 0 up to 1.
  static constexpr value log_factorial(value t) {
    const value large = t > 1.0, safe = where(large, t, 1.0);
    return where(large, safe * log(safe) - safe + 0.5 * log(2 * std::numbers::pi * safe), 0.0);
  }
};

/// e^x - t x with the logarithm x of the predicted rate; with loss::log_input false x - t log(x + eps) with
/// the rate itself. loss::full adds t log(t) - t + log(2 pi t) / 2 where t > 1. Rates and counts of one
/// floating type and shape -> [], or their shape with reduction::none. Reads loss::reduce, loss::log_input,
/// loss::full and loss::eps.
/// @formula mean of e^x - t x
/// @shapes floating x and t [..] -> []
/// @errors loss_shapes unread_loss_options
/// @torch torch.nn.functional.poisson_nll_loss
/// @jax jnp.mean(jnp.exp(x) - t * x)
/// @given x = [0, 1]; t = [1, 3]
/// @gives tl::poisson_nll_loss(x, t) = 0.3591
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto poisson_nll_loss(X x, T t, W... sample_weights) {
  return make<loss_statement<poisson_nll_loss_operation, Options, sizeof...(W)>>(
      x, t, detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
