// SPDX-License-Identifier: BSL-1.0
// round(x): the nearest whole number; its derivative is 0.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct round_operation : pointwise_operation<round_operation, 1> {
  static constexpr std::string_view name = "round";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::nearbyint;
    return nearbyint(x);
  }
  static constexpr value cotangent(auto, auto, auto) { return value{}; }
};

/// The whole number nearest to x, the even one of two that are equally near, element by element.
/// @formula y = the nearest whole number, the even one of two; dy/dx = 0
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.round
/// @jax jnp.round
/// @given x = [0.5, 1.5, -2.7]
/// @gives tl::round(x) = [0, 2, -3]
constexpr value round(is_value auto x) { return make<round_operation>(x); }
TAPELESS_FACTORY auto round(expression_operand auto x) { return make<round_operation>(x); }

}  // namespace tapeless
