// SPDX-License-Identifier: BSL-1.0
// asin(x): the inverse sine.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>

namespace tapeless {

struct asin_operation : pointwise_operation<asin_operation, 1> {
  static constexpr std::string_view name = "asin";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::asin;
    return asin(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g / sqrt((1.0 - x) * (1.0 + x)); }
};

/// The angle in [-pi/2, pi/2] whose sine is x, element by element; NaN where |x| > 1, and an infinite
/// derivative where |x| = 1.
/// @formula y = asin(x); dy/dx = 1 / sqrt(1 - x^2)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.asin
/// @jax jnp.arcsin
/// @given x = [-1, 0, 1]
/// @gives tl::asin(x) = [-1.571, 0, 1.571]
constexpr value asin(is_value auto x) { return make<asin_operation>(x); }
TAPELESS_FACTORY auto asin(expression_operand auto x) { return make<asin_operation>(x); }

}  // namespace tapeless
