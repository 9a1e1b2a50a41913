// SPDX-License-Identifier: BSL-1.0
// sign(x): -1, 0 or 1; its derivative is 0.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct sign_operation : pointwise_operation<sign_operation, 1> {
  static constexpr std::string_view name = "sign";
  static constexpr auto apply(auto x) { return sign_of(x); }
  static constexpr value cotangent(auto, auto, auto) { return value{}; }
};

/// -1 for x < 0, 0 for x = 0, 1 for x > 0, element by element; NaN for NaN, where PyTorch has 0.
/// @formula y = -1, 0 or 1; dy/dx = 0
/// @shapes numbers [..] -> [..]
/// @errors element_kinds
/// @torch torch.sign
/// @jax jnp.sign
/// @given x = [-2, 0, 3]
/// @gives tl::sign(x) = [-1, 0, 1]
constexpr value sign(is_value auto x) { return make<sign_operation>(x); }
TAPELESS_FACTORY auto sign(expression_operand auto x) { return make<sign_operation>(x); }

}  // namespace tapeless
