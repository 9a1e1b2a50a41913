// SPDX-License-Identifier: BSL-1.0
// acos(x): the inverse cosine.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>

namespace tapeless {

struct acos_operation : pointwise_operation<acos_operation, 1> {
  static constexpr std::string_view name = "acos";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::acos;
    return acos(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return -(g / sqrt((1.0 - x) * (1.0 + x))); }
};

/// The angle in [0, pi] whose cosine is x, element by element; NaN where |x| > 1, and an infinite derivative
/// where |x| = 1.
/// @formula y = acos(x); dy/dx = -1 / sqrt(1 - x^2)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.acos
/// @jax jnp.arccos
/// @given x = [-1, 0, 1]
/// @gives tl::acos(x) = [3.142, 1.571, 0]
constexpr value acos(is_value auto x) { return make<acos_operation>(x); }
TAPELESS_FACTORY auto acos(expression_operand auto x) { return make<acos_operation>(x); }

}  // namespace tapeless
