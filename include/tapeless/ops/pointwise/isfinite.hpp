// SPDX-License-Identifier: BSL-1.0
// isfinite(x): whether an element is a finite number.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct isfinite_operation : composed_operation<isfinite_operation, 1> {
  static constexpr std::string_view name = "isfinite";
  static constexpr element_kind takes = element_kind::numbers;
  static constexpr value forward(value x) {
    if (!is_floating(x.type())) return x == x;
    return abs(x) <= detail::largest_finite(x.type());
  }
};

/// Whether x is neither infinite nor NaN, element by element.
/// @formula y = whether x is neither infinite nor NaN; without a derivative
/// @shapes numbers [..] -> booleans [..]
/// @errors element_kinds
/// @torch torch.isfinite
/// @jax jnp.isfinite
/// @given x = [-1.5, 0, 2]
/// @gives tl::isfinite(x) = [true, true, true]
constexpr value isfinite(is_value auto x) { return make<isfinite_operation>(x); }
TAPELESS_FACTORY auto isfinite(expression_operand auto x) { return make<isfinite_operation>(x); }

}  // namespace tapeless
