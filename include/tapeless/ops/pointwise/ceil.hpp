// SPDX-License-Identifier: BSL-1.0
// ceil(x): the smallest integer that is not below x; its derivative is 0.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct ceil_operation : pointwise_operation<ceil_operation, 1> {
  static constexpr std::string_view name = "ceil";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::ceil;
    return ceil(x);
  }
  static constexpr value cotangent(auto, auto, auto) { return value{}; }
};

/// ceil(x), element by element.
/// @formula y = the least whole number >= x; dy/dx = 0
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.ceil
/// @jax jnp.ceil
/// @given x = [-1.5, 0.2, 2]
/// @gives tl::ceil(x) = [-1, 1, 2]
constexpr value ceil(is_value auto x) { return make<ceil_operation>(x); }
TAPELESS_FACTORY auto ceil(expression_operand auto x) { return make<ceil_operation>(x); }

}  // namespace tapeless
