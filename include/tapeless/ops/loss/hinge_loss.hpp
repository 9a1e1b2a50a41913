// SPDX-License-Identifier: BSL-1.0
// hinge_loss(x, y): how far predictions fall short of a margin.
#pragma once

#include <tapeless/ops/activation/relu.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/square.hpp>

namespace tapeless {

struct hinge_loss_operation {
  static constexpr std::string_view name = "hinge_loss";
  static constexpr auto require_options = &detail::require_options<&loss::margin, &loss::power>;
  template <loss Options>
  static constexpr text refusal() {
    constexpr double power = detail::given(Options.power, 1);
    if (power == 1 || power == 2) return {};
    return text() << name << " takes the power 1 or 2, but got " << power;
  }
  template <loss Options>
  static constexpr value of(value x, value t) {
    constexpr double power = detail::given(Options.power, 1);
    const value short_of = relu(detail::given(Options.margin, 1) - x * t);
    return power == 1 ? short_of : square(short_of);
  }
};

/// max(0, margin - x y), or its square with loss::power 2: predictions and targets y, each 1 or -1, of one
/// floating type and shape -> [], or their shape with reduction::none. Reads loss::reduce, loss::margin and
/// loss::power.
/// @formula mean of max(0, margin - x y)^power
/// @shapes floating x and y [..] -> []
/// @errors loss_shapes unread_loss_options
/// @torch torch.clamp(1 - x * y, min=0).mean()
/// @jax optax.hinge_loss
/// @given x = [2, 0.5, -1]; y = [1, 1, -1]
/// @gives tl::hinge_loss(x, y) = 0.1667
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto hinge_loss(X x, T t, W... sample_weights) {
  return make<loss_statement<hinge_loss_operation, Options, sizeof...(W)>>(
      x, t, detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
