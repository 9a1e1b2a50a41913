// SPDX-License-Identifier: BSL-1.0
// rad2deg(x): radians as degrees.
#pragma once

#include <numbers>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct rad2deg_operation : composed_operation<rad2deg_operation, 1> {
  static constexpr std::string_view name = "rad2deg";
  static constexpr value forward(value x) { return x * (180 / std::numbers::pi); }
};

/// 180 / pi times x, element by element.
/// @formula y = 180 x / pi
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.rad2deg
/// @jax jnp.rad2deg
/// @given x = [-1, 0, 2]
/// @gives tl::rad2deg(x) = [-57.3, 0, 114.6]
constexpr value rad2deg(is_value auto x) { return make<rad2deg_operation>(x); }
TAPELESS_FACTORY auto rad2deg(expression_operand auto x) { return make<rad2deg_operation>(x); }

}  // namespace tapeless
