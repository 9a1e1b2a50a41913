// SPDX-License-Identifier: BSL-1.0
// floor(x): the largest integer that is not above x; its derivative is 0.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct floor_operation : pointwise_operation<floor_operation, 1> {
  static constexpr std::string_view name = "floor";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::floor;
    return floor(x);
  }
  static constexpr value cotangent(auto, auto, auto) { return value{}; }
};

/// floor(x), element by element.
/// @formula y = the greatest whole number <= x; dy/dx = 0
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.floor
/// @jax jnp.floor
/// @given x = [-1.5, 0.2, 2]
/// @gives tl::floor(x) = [-2, 0, 2]
constexpr value floor(is_value auto x) { return make<floor_operation>(x); }
TAPELESS_FACTORY auto floor(expression_operand auto x) { return make<floor_operation>(x); }

}  // namespace tapeless
