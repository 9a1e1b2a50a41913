// SPDX-License-Identifier: BSL-1.0
// all<axes...>(c): whether every condition holds.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>

namespace tapeless {

/// Of booleans the smallest one is true where every condition holds.
struct all_operation {
  static constexpr std::string_view name = "all";
  static constexpr element_kind takes = element_kind::booleans;
  static constexpr value build(value c, unsigned axes, bool keep) {
    return min_reduction_operation::build(c, axes, keep);
  }
};

/// Whether every condition holds over Axes (all where none is named), which are dropped, or kept with extent
/// 1; true where there is none.
/// @formula y = c_0 and c_1 and ...; without a derivative
/// @shapes booleans [..] -> booleans, without the axes
/// @errors reduction_axis element_kinds
/// @torch torch.all
/// @jax jnp.all
/// @given c = [[true, true], [true, false]]
/// @gives tl::all(c) = false
/// @gives tl::all<1>(c) = [true, false]
template <axis_number auto... Axes, reduction_operand C>
TAPELESS_FACTORY auto all(C c) {
  return make<reduction_statement<all_operation, false, Axes...>>(c);
}
template <axis_number auto... Axes, reduction_operand C>
TAPELESS_FACTORY auto all(C c, keep_dims_t) {
  return make<reduction_statement<all_operation, true, Axes...>>(c);
}

}  // namespace tapeless
