// SPDX-License-Identifier: BSL-1.0
// any<axes...>(c): whether one of the conditions holds.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>

namespace tapeless {

/// Of booleans the largest one is true where one of the conditions holds.
struct any_operation {
  static constexpr std::string_view name = "any";
  static constexpr element_kind takes = element_kind::booleans;
  static constexpr value build(value c, unsigned axes, bool keep) {
    return max_reduction_operation::build(c, axes, keep);
  }
};

/// Whether one of the conditions holds over Axes (all where none is named), which are dropped, or kept with
/// extent 1; false where there is none.
/// @formula y = c_0 or c_1 or ...; without a derivative
/// @shapes booleans [..] -> booleans, without the axes
/// @errors reduction_axis element_kinds
/// @torch torch.any
/// @jax jnp.any
/// @given c = [[true, true], [false, false]]
/// @gives tl::any(c) = true
/// @gives tl::any<1>(c) = [true, false]
template <axis_number auto... Axes, reduction_operand C>
TAPELESS_FACTORY auto any(C c) {
  return make<reduction_statement<any_operation, false, Axes...>>(c);
}
template <axis_number auto... Axes, reduction_operand C>
TAPELESS_FACTORY auto any(C c, keep_dims_t) {
  return make<reduction_statement<any_operation, true, Axes...>>(c);
}

}  // namespace tapeless
