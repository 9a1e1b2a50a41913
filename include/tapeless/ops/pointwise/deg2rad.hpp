// SPDX-License-Identifier: BSL-1.0
// deg2rad(x): degrees as radians.
#pragma once

#include <numbers>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct deg2rad_operation : composed_operation<deg2rad_operation, 1> {
  static constexpr std::string_view name = "deg2rad";
  static constexpr value forward(value x) { return x * (std::numbers::pi / 180); }
};

/// pi / 180 times x, element by element.
/// @formula y = x pi / 180
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.deg2rad
/// @jax jnp.deg2rad
/// @given x = [-180, 0, 90]
/// @gives tl::deg2rad(x) = [-3.142, 0, 1.571]
constexpr value deg2rad(is_value auto x) { return make<deg2rad_operation>(x); }
TAPELESS_FACTORY auto deg2rad(expression_operand auto x) { return make<deg2rad_operation>(x); }

}  // namespace tapeless
