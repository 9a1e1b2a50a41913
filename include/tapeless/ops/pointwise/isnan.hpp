// SPDX-License-Identifier: BSL-1.0
// isnan(x): whether an element is NaN.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct isnan_operation : composed_operation<isnan_operation, 1> {
  static constexpr std::string_view name = "isnan";
  static constexpr element_kind takes = element_kind::numbers;
  static constexpr value forward(value x) { return x != x; }
};

/// Whether x is NaN, element by element.
/// @formula y = whether x is NaN; without a derivative
/// @shapes numbers [..] -> booleans [..]
/// @errors element_kinds
/// @torch torch.isnan
/// @jax jnp.isnan
/// @given x = [-1.5, 0, 2]
/// @gives tl::isnan(x) = [false, false, false]
constexpr value isnan(is_value auto x) { return make<isnan_operation>(x); }
TAPELESS_FACTORY auto isnan(expression_operand auto x) { return make<isnan_operation>(x); }

}  // namespace tapeless
