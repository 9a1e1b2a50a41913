// SPDX-License-Identifier: BSL-1.0
// sinh(x): the hyperbolic sine.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cosh.hpp>

namespace tapeless {

struct sinh_operation : pointwise_operation<sinh_operation, 1> {
  static constexpr std::string_view name = "sinh";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::sinh;
    return sinh(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * cosh(x); }
};

/// (e^x - e^-x) / 2, element by element.
/// @formula y = (e^x - e^-x) / 2; dy/dx = cosh(x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.sinh
/// @jax jnp.sinh
/// @given x = [-1, 0, 2]
/// @gives tl::sinh(x) = [-1.175, 0, 3.627]
constexpr value sinh(is_value auto x) { return make<sinh_operation>(x); }
TAPELESS_FACTORY auto sinh(expression_operand auto x) { return make<sinh_operation>(x); }

}  // namespace tapeless
