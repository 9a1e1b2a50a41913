// SPDX-License-Identifier: BSL-1.0
// recip(x): the inverse.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct recip_operation {
  static constexpr std::string_view name = "recip";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    return detail::require_kind(name, x, element_kind::floating) ? 1.0 / x : x;
  }
};

/// 1/x, element by element.
/// @formula y = 1 / x; dy/dx = -y^2
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.reciprocal
/// @jax jnp.reciprocal
/// @given x = [0.5, 4, -8]
/// @gives tl::recip(x) = [2, 0.25, -0.125]
constexpr value recip(is_value auto x) { return make<recip_operation>(x); }
TAPELESS_FACTORY auto recip(expression_operand auto x) { return make<recip_operation>(x); }

}  // namespace tapeless
