// SPDX-License-Identifier: BSL-1.0
// sqrt(x): the square root.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct sqrt_operation : pointwise_operation<sqrt_operation, 1> {
  static constexpr std::string_view name = "sqrt";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::sqrt;
    return sqrt(x);
  }
  static constexpr value cotangent(auto g, auto, auto y) { return g / (2.0 * y); }
};

/// x^(1/2); NaN below 0, element by element.
/// @formula y = x^(1/2); dy/dx = 1 / (2 y)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.sqrt
/// @jax jnp.sqrt
/// @given x = [0.25, 1, 16]
/// @gives tl::sqrt(x) = [0.5, 1, 4]
constexpr value sqrt(is_value auto x) { return make<sqrt_operation>(x); }
TAPELESS_FACTORY auto sqrt(expression_operand auto x) { return make<sqrt_operation>(x); }

}  // namespace tapeless
