// SPDX-License-Identifier: BSL-1.0
// huber_loss(x, t): half the squared difference, a line far from 0 (Huber, 1964).
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct huber_loss_operation {
  static constexpr std::string_view name = "huber_loss";
  static constexpr auto require_options = &detail::require_options<&loss::delta>;
  template <loss Options>
  static constexpr text refusal() {
    if (Options.delta > 0) return {};
    return text() << name << " takes a delta above 0, but got " << Options.delta;
  }
  template <loss Options>
  static constexpr value of(value x, value t) {
    constexpr double delta = Options.delta;
    const value d = x - t, size = abs(d), near = size < delta;
    // Neither the square of an absolute value, whose second derivative at 0 is 0, nor of a large number.
    return where(near, 0.5 * square(where(near, d, 0.0)), delta * (size - 0.5 * delta));
  }
};

/// With d = |x - t|: d^2 / 2 where d < delta, delta (d - delta / 2) elsewhere; the second derivative is 1
/// where d < delta, 0 elsewhere. Predictions and targets of one
/// floating type and shape -> [], or their shape with reduction::none. Either may be a number. Reads
/// loss::reduce and loss::delta.
/// @formula mean of d^2 / 2 where d < delta, delta (d - delta / 2) elsewhere, d = |x - t|
/// @shapes floating x and t [..] -> []
/// @errors loss_shapes unread_loss_options loss_option_as_argument loss_option_alone
/// @torch torch.nn.functional.huber_loss
/// @jax optax.huber_loss
/// @given x = [1, 2, 5]; t = [1, 1.5, 2]
/// @gives tl::huber_loss(x, t) = 0.875
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto huber_loss(X x, T t, W... sample_weights) {
  return make<loss_statement<huber_loss_operation, Options, sizeof...(W)>>(
      x, t, detail::weights_in(sample_weights)...);
}

// Its number alone.
template <plain_number auto N, detail::called_with X, class... More>
constexpr auto huber_loss(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"huber_loss"}, sentence{"its options are a tl::loss"},
                             sentence{"<tl::loss{.delta = 0.1}>(x, t)"}>(x, more...);
}

}  // namespace tapeless
