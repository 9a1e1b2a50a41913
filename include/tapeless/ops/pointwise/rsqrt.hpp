// SPDX-License-Identifier: BSL-1.0
// rsqrt(x): the inverse of the square root.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>

namespace tapeless {

struct rsqrt_operation {
  static constexpr std::string_view name = "rsqrt";
  static constexpr int arity = 1;
  static constexpr value build(value x) { return 1.0 / sqrt(x); }
};

/// 1/sqrt(x), element by element; infinity at 0, NaN below.
/// @formula y = x^(-1/2); dy/dx = -y^3 / 2
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.rsqrt
/// @jax jax.lax.rsqrt
/// @given x = [0.25, 1, 16]
/// @gives tl::rsqrt(x) = [2, 1, 0.25]
constexpr value rsqrt(is_value auto x) { return make<rsqrt_operation>(x); }
TAPELESS_FACTORY auto rsqrt(expression_operand auto x) { return make<rsqrt_operation>(x); }

}  // namespace tapeless
