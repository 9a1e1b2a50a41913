// SPDX-License-Identifier: BSL-1.0
// kl_div(log_q, p): the Kullback-Leibler divergence of q from p (Kullback and Leibler, 1951).
#pragma once

#include <limits>

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct kl_div_operation {
  static constexpr std::string_view name = "kl_div";
  static constexpr auto require_options = &detail::require_options<&loss::log_target>;
  template <loss Options>
  static constexpr value of(value x, value t) {
    if constexpr (Options.log_target) {
      const value absent = t == -std::numeric_limits<double>::infinity();
      return exp(t) * where(absent, 0.0, t - x);
    } else {
      const value absent = t == 0.0;
      return t * where(absent, 0.0, log(where(absent, 1.0, t)) - x);
    }
  }
};

/// p (log(p) - log_q), 0 where p is 0: the logarithms of predicted probabilities, and the probabilities that
/// are expected (their logarithms with loss::log_target), of one floating type and shape -> [], or their
/// shape with reduction::none. Reads loss::reduce (of the mathematical definition: reduction::batch_mean) and
/// loss::log_target.
/// @formula mean of p (log(p) - log_q), 0 where p is 0
/// @shapes floating log_q and p [..] -> []
/// @errors loss_shapes unread_loss_options batch_mean losses_of_less
/// @torch torch.nn.functional.kl_div
/// @jax optax.kl_divergence
/// @given log_q = [[-0.6931472, -0.6931472]]; p = [[0.25, 0.75]]
/// @gives tl::kl_div<tl::loss{.reduce = tl::reduction::batch_mean}>(log_q, p) = 0.1308
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto kl_div(X x, T t, W... sample_weights) {
  return make<loss_statement<kl_div_operation, Options, sizeof...(W)>>(x, t,
                                                                       detail::weights_in(sample_weights)...);
}

/// Refuses one operand.
template <loss Options = loss{}, detail::called_with X>
constexpr auto kl_div(const X& x) {
  return detail::refuse_call<
      sentence{"kl_div"}, sentence{"it compares logarithms of predicted probabilities with those expected"},
      sentence{"(log_q, p)"}>(x);
}

}  // namespace tapeless
