// SPDX-License-Identifier: BSL-1.0
// masked_fill(x, mask, filling): x where a mask does not hold, something else where it does.
#pragma once

#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct masked_fill_statement {
  static constexpr std::string_view name = "masked_fill";
  static constexpr int arity = 3;
  static constexpr value build(value x, value mask, value filling) { return where(mask, filling, x); }
};

/// x, with a number or a broadcast value where the mask is true.
/// @formula y = filling where mask, else x
/// @shapes [..], booleans, and one element type, whose shapes broadcast -> the common shape
/// @errors where_condition
/// @torch torch.masked_fill
/// @jax jnp.where(mask, filling, x)
/// @given x = [1, 2, 3]; mask = bool [true, false, true]
/// @gives tl::masked_fill(x, mask, 0_c) = [0, 2, 0]
template <operand X, operand M, operand F>
TAPELESS_FACTORY auto masked_fill(X x, M mask, F filling) {
  return make<masked_fill_statement>(x, mask, filling);
}

}  // namespace tapeless
