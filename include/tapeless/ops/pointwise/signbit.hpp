// SPDX-License-Identifier: BSL-1.0
// signbit(x): whether the sign is negative, that of -0 too.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct signbit_operation : composed_operation<signbit_operation, 1> {
  static constexpr std::string_view name = "signbit";
  static constexpr element_kind takes = element_kind::numbers;
  static constexpr value forward(value x) {
    const value below = x < 0.0;
    return is_floating(x.type()) ? below || (x == 0.0 && 1.0 / x < 0.0) : below;
  }
};

/// Whether x is below 0 or -0, element by element; false for NaN.
/// @formula y = whether x has the sign -; without a derivative
/// @shapes numbers [..] -> booleans [..]
/// @errors element_kinds
/// @torch torch.signbit
/// @jax jnp.signbit
/// @given x = [-1.5, 0, 2]
/// @gives tl::signbit(x) = [true, false, false]
constexpr value signbit(is_value auto x) { return make<signbit_operation>(x); }
TAPELESS_FACTORY auto signbit(expression_operand auto x) { return make<signbit_operation>(x); }

}  // namespace tapeless
