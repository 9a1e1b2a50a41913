// SPDX-License-Identifier: BSL-1.0
// atan(x): the inverse tangent.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct atan_operation : pointwise_operation<atan_operation, 1> {
  static constexpr std::string_view name = "atan";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::atan;
    return atan(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g / (1.0 + x * x); }
};

/// The angle in (-pi/2, pi/2) whose tangent is x, element by element.
/// @formula y = atan(x); dy/dx = 1 / (1 + x^2)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.atan
/// @jax jnp.arctan
/// @given x = [-1, 0, 1]
/// @gives tl::atan(x) = [-0.7854, 0, 0.7854]
constexpr value atan(is_value auto x) { return make<atan_operation>(x); }
TAPELESS_FACTORY auto atan(expression_operand auto x) { return make<atan_operation>(x); }

}  // namespace tapeless
