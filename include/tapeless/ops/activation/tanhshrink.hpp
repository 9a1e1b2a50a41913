// SPDX-License-Identifier: BSL-1.0
// tanhshrink(x): what the hyperbolic tangent leaves of x.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/tanh.hpp>

namespace tapeless {

struct tanhshrink_operation {
  static constexpr std::string_view name = "tanhshrink";
  static constexpr int arity = 1;
  static constexpr value build(value x) { return x - tanh(x); }
};

/// x - tanh(x), element by element.
/// @formula y = x - tanh(x); dy/dx = tanh(x)^2
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.tanhshrink
/// @jax x - jnp.tanh(x)
/// @given x = [-2, 0, 3]
/// @gives tl::tanhshrink(x) = [-1.036, 0, 2.005]
constexpr value tanhshrink(is_value auto x) { return make<tanhshrink_operation>(x); }
TAPELESS_FACTORY auto tanhshrink(expression_operand auto x) { return make<tanhshrink_operation>(x); }

}  // namespace tapeless
