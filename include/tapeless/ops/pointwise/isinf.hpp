// SPDX-License-Identifier: BSL-1.0
// isinf(x): whether an element is infinite.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct isinf_operation : composed_operation<isinf_operation, 1> {
  static constexpr std::string_view name = "isinf";
  static constexpr element_kind takes = element_kind::numbers;
  static constexpr value forward(value x) {
    if (!is_floating(x.type())) return x != x;
    return abs(x) > detail::largest_finite(x.type());
  }
};

/// Whether x is infinite, element by element.
/// @formula y = whether x is infinite; without a derivative
/// @shapes numbers [..] -> booleans [..]
/// @errors element_kinds
/// @torch torch.isinf
/// @jax jnp.isinf
/// @given x = [-1.5, 0, 2]
/// @gives tl::isinf(x) = [false, false, false]
constexpr value isinf(is_value auto x) { return make<isinf_operation>(x); }
TAPELESS_FACTORY auto isinf(expression_operand auto x) { return make<isinf_operation>(x); }

}  // namespace tapeless
