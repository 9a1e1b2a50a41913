// SPDX-License-Identifier: BSL-1.0
// tan(x): the tangent.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct tan_operation : pointwise_operation<tan_operation, 1> {
  static constexpr std::string_view name = "tan";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::tan;
    return tan(x);
  }
  static constexpr value cotangent(auto g, auto, auto y) { return g * (1.0 + y * y); }
};

/// tan(x), x in radians, element by element.
/// @formula y = tan(x); dy/dx = 1 + y^2
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.tan
/// @jax jnp.tan
/// @given x = [-1, 0, 0.5]
/// @gives tl::tan(x) = [-1.557, 0, 0.5463]
constexpr value tan(is_value auto x) { return make<tan_operation>(x); }
TAPELESS_FACTORY auto tan(expression_operand auto x) { return make<tan_operation>(x); }

}  // namespace tapeless
