// SPDX-License-Identifier: BSL-1.0
// argmin<axis>(x): where the smallest element is.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/reduction/argmax.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>

namespace tapeless {

struct argmin_operation {
  static constexpr std::string_view name = "argmin";
  static constexpr value build(value x, unsigned axes, bool keep) {
    return detail::first_index_of<min_reduction_operation>(name, x, axes, keep);
  }
};

/// The index of the smallest element, as argmax's of the largest.
/// @formula y = the least i with x_i = min_j x_j; without a derivative
/// @shapes numbers [..] -> std::int64_t, without the axis
/// @errors argmax_of_none reduction_axis orders_and_types
/// @torch torch.argmin
/// @jax jnp.argmin
/// @given x = [[1, 5, 3], [7, 2, 7]]
/// @gives tl::argmin<1>(x) = [0, 1]
template <int... Axis, reduction_operand X>
TAPELESS_FACTORY auto argmin(X x) {
  return detail::index_of<argmin_operation, false, Axis...>(x);
}
template <int... Axis, reduction_operand X>
TAPELESS_FACTORY auto argmin(X x, keep_dims_t) {
  return detail::index_of<argmin_operation, true, Axis...>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous argmin(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
