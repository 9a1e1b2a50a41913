// SPDX-License-Identifier: BSL-1.0
// cube(x): the third power.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/square.hpp>

namespace tapeless {

struct cube_operation {
  static constexpr std::string_view name = "cube";
  static constexpr int arity = 1;
  static constexpr value build(value x) { return x * square(x); }
};

/// x^3, element by element.
/// @formula y = x^3; dy/dx = 3 x^2
/// @shapes numbers [..] -> [..]
/// @errors element_kinds
/// @torch torch.pow(x, 3)
/// @jax x ** 3
/// @given x = [-2, 0, 3]
/// @gives tl::cube(x) = [-8, 0, 27]
constexpr value cube(is_value auto x) { return make<cube_operation>(x); }
TAPELESS_FACTORY auto cube(expression_operand auto x) { return make<cube_operation>(x); }

}  // namespace tapeless
