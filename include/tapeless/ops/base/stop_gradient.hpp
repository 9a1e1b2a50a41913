// SPDX-License-Identifier: BSL-1.0
// stop_gradient(x): x, through which no derivative flows.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/structural/left_alone.hpp>
#include <tapeless/ops/base/view_node.hpp>

namespace tapeless {

struct stop_gradient_operation {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    return x.insert(detail::unary_node(gradient_stop, x, shape_of(x)));
  }
};

/// x itself; its derivative is zero. A parameter that the model uses elsewhere, too, is trained through these
/// uses. One that the loss needs only behind stop_gradient is left alone by every rule, decay included, and
/// has no states: as a tensor without a gradient in PyTorch.
/// @formula y = x; dy/dx = 0
/// @shapes [..] -> [..]
/// @torch x.detach()
/// @jax jax.lax.stop_gradient
/// @given x = [1, 2]
/// @gives tl::grad(tl::sum(tl::stop_gradient(x) * x), x) = [1, 2]
constexpr value stop_gradient(is_value auto x) { return make<stop_gradient_operation>(x); }
TAPELESS_FACTORY auto stop_gradient(expression_operand auto x) { return make<stop_gradient_operation>(x); }

}  // namespace tapeless
