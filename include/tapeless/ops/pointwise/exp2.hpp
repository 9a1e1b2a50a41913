// SPDX-License-Identifier: BSL-1.0
// exp2(x): the power of 2.
#pragma once

#include <numbers>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct exp2_operation : pointwise_operation<exp2_operation, 1> {
  static constexpr std::string_view name = "exp2";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::exp2;
    return exp2(x);
  }
  static constexpr value cotangent(auto g, auto, auto y) { return g * (std::numbers::ln2 * y); }
};

/// 2^x, element by element.
/// @formula y = 2^x; dy/dx = log(2) y
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.exp2
/// @jax jnp.exp2
/// @given x = [-1, 0, 2.5]
/// @gives tl::exp2(x) = [0.5, 1, 5.657]
constexpr value exp2(is_value auto x) { return make<exp2_operation>(x); }
TAPELESS_FACTORY auto exp2(expression_operand auto x) { return make<exp2_operation>(x); }

}  // namespace tapeless
