// SPDX-License-Identifier: BSL-1.0
// sin(x): the sine.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cos.hpp>

namespace tapeless {

struct sin_operation : pointwise_operation<sin_operation, 1> {
  static constexpr std::string_view name = "sin";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::sin;
    return sin(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * cos(x); }
};

/// sin(x), x in radians, element by element.
/// @formula y = sin(x); dy/dx = cos(x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.sin
/// @jax jnp.sin
/// @given x = [0, 1, 2]
/// @gives tl::sin(x) = [0, 0.8415, 0.9093]
constexpr value sin(is_value auto x) { return make<sin_operation>(x); }
TAPELESS_FACTORY auto sin(expression_operand auto x) { return make<sin_operation>(x); }

}  // namespace tapeless
