// SPDX-License-Identifier: BSL-1.0
// hard_swish(x): silu with the hard sigmoid (Howard et al., 2019).
#pragma once

#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct hard_swish_operation {
  static constexpr std::string_view name = "hard_swish";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const value inside = abs(x) < 3.0, middle = where(inside, x, 0.0);  // no square of a large number
    return where(inside, middle * (middle / 6.0 + 0.5), where(x < 0.0, 0.0, x));
  }
};

/// x hard_sigmoid(x), element by element: 0 for x <= -3, x for x >= 3; the derivative at -3 is 0, at 3 it
/// is 1.
/// @formula y = x min(max(x / 6 + 1/2, 0), 1)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.hardswish
/// @jax jax.nn.hard_swish
/// @given x = [-4, -1, 1.5]
/// @gives tl::hard_swish(x) = [0, -0.3333, 1.125]
constexpr value hard_swish(is_value auto x) { return make<hard_swish_operation>(x); }
TAPELESS_FACTORY auto hard_swish(expression_operand auto x) { return make<hard_swish_operation>(x); }

}  // namespace tapeless
