// SPDX-License-Identifier: BSL-1.0
// quantile_loss(x, t): what a quantile of the targets makes least (Koenker and Bassett, 1978).
#pragma once

#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/max.hpp>

namespace tapeless {

struct quantile_loss_operation {
  static constexpr std::string_view name = "quantile_loss";
  static constexpr auto require_options = &detail::require_options<&loss::quantile>;
  template <loss Options>
  static constexpr text refusal() {
    if (Options.quantile > 0 && Options.quantile < 1) return {};
    return text() << name << " takes a quantile between 0 and 1, but got " << Options.quantile;
  }
  template <loss Options>
  static constexpr value of(value x, value t) {
    const value e = t - x;
    constexpr double quantile = Options.quantile;
    return max(quantile * e, (quantile - 1) * e);
  }
};

/// The pinball loss, with e = t - x: q e where the prediction is too low, (1 - q) |e| where it is too high.
/// It is least where x is the quantile q of the targets: of 10 targets 9 are below it for q = 0.9. Half the
/// absolute difference for q = 0.5. Predictions and targets of one floating type and shape -> [], or their
/// shape with reduction::none. Either may be a number. Reads loss::reduce and loss::quantile.
/// @formula mean of max(q e, (q - 1) e), e = t - x
/// @shapes floating x and t [..] -> []
/// @errors loss_shapes unread_loss_options
/// @torch none
/// @jax none
/// @given x = [1, 2, 5]; t = [1, 1.5, 2]
/// @gives tl::quantile_loss(x, t) = 0.5833
/// @gives tl::quantile_loss<tl::loss{.reduce = tl::reduction::none, .quantile = 0.75}>(x, t) = [0, 0.125,
/// 0.75]
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto quantile_loss(X x, T t, W... sample_weights) {
  return make<loss_statement<quantile_loss_operation, Options, sizeof...(W)>>(
      x, t, detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
