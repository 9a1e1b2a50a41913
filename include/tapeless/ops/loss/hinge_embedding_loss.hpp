// SPDX-License-Identifier: BSL-1.0
// hinge_embedding_loss(x, y): distances of like pairs, and how far unlike pairs come within a margin.
#pragma once

#include <tapeless/ops/activation/relu.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct hinge_embedding_loss_operation {
  static constexpr std::string_view name = "hinge_embedding_loss";
  static constexpr auto require_options = &detail::require_options<&loss::margin>;
  template <loss Options>
  static constexpr value of(value x, value y) {
    const value within = relu(detail::given(Options.margin, 1) - x);
    return where(y == -1.0, 0.0, x) + where(y == 1.0, 0.0, within);
  }
};

/// x where y is 1, max(0, margin - x) where it is -1 (the sum of both elsewhere): distances x and targets y,
/// of one floating type and shape -> [], or their shape with reduction::none. Reads loss::reduce and
/// loss::margin.
/// @formula mean of x where y is 1, max(0, margin - x) where y is -1
/// @shapes floating x and y [..] -> []
/// @errors loss_shapes unread_loss_options
/// @torch torch.nn.functional.hinge_embedding_loss
/// @jax none: jnp.where(y == 1, x, jnp.maximum(0, margin - x))
/// @given x = [0.5, 0.25, 2]; y = [1, -1, -1]
/// @gives tl::hinge_embedding_loss(x, y) = 0.4167
template <loss Options = loss{}, class X, class T, sample_weights_operand... W>
  requires(operands<X, T> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto hinge_embedding_loss(X x, T t, W... sample_weights) {
  return make<loss_statement<hinge_embedding_loss_operation, Options, sizeof...(W)>>(
      x, t, detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
