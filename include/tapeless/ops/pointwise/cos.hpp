// SPDX-License-Identifier: BSL-1.0
// cos(x): the cosine.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/sin.hpp>

namespace tapeless {

struct cos_operation : pointwise_operation<cos_operation, 1> {
  static constexpr std::string_view name = "cos";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::cos;
    return cos(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return -(g * sin(x)); }
};

/// cos(x), x in radians, element by element.
/// @formula y = cos(x); dy/dx = -sin(x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.cos
/// @jax jnp.cos
/// @given x = [0, 1, 3.1415927]
/// @gives tl::cos(x) = [1, 0.5403, -1]
constexpr value cos(is_value auto x) { return make<cos_operation>(x); }
TAPELESS_FACTORY auto cos(expression_operand auto x) { return make<cos_operation>(x); }

}  // namespace tapeless
