// SPDX-License-Identifier: BSL-1.0
// softsign(x): x divided by 1 + |x| (Turian, Bergstra and Bengio, 2009).
#pragma once

#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct softsign_operation {
  static constexpr std::string_view name = "softsign";
  static constexpr int arity = 1;
  static constexpr value build(value x) { return x / (1.0 + abs(x)); }
};

/// x / (1 + |x|), element by element.
/// @formula y = x / (1 + |x|); dy/dx = 1 / (1 + |x|)^2
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.softsign
/// @jax jax.nn.soft_sign
/// @given x = [-2, 0, 3]
/// @gives tl::softsign(x) = [-0.6667, 0, 0.75]
constexpr value softsign(is_value auto x) { return make<softsign_operation>(x); }
TAPELESS_FACTORY auto softsign(expression_operand auto x) { return make<softsign_operation>(x); }

}  // namespace tapeless
