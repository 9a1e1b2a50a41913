// SPDX-License-Identifier: BSL-1.0
// hard_sigmoid(x): the sigmoid in three straight pieces (Courbariaux et al., 2015).
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct hard_sigmoid_operation {
  static constexpr std::string_view name = "hard_sigmoid";
  static constexpr int arity = 1;
  static constexpr value build(value x) { return where(x <= -3.0, 0.0, where(x >= 3.0, 1.0, x / 6.0 + 0.5)); }
};

/// 0 for x <= -3, 1 for x >= 3, x/6 + 1/2 between, element by element; the derivative at -3 and 3 is 0.
/// @formula y = min(max(x / 6 + 1/2, 0), 1)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.hardsigmoid
/// @jax jax.nn.hard_sigmoid
/// @given x = [-4, 0, 1.5]
/// @gives tl::hard_sigmoid(x) = [0, 0.5, 0.75]
constexpr value hard_sigmoid(is_value auto x) { return make<hard_sigmoid_operation>(x); }
TAPELESS_FACTORY auto hard_sigmoid(expression_operand auto x) { return make<hard_sigmoid_operation>(x); }

}  // namespace tapeless
