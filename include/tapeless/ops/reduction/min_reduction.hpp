// SPDX-License-Identifier: BSL-1.0
// min<axes...>(x): the smallest element over the axes; ties share the gradient evenly.
#pragma once

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/reduction_operation.hpp>

namespace tapeless {

struct min_reduction_operation : reduction_operation<min_reduction_operation> {
  static constexpr std::string_view name = "min";
  template <class T>
  static constexpr T identity = above_all<T>;
  static constexpr auto combine(auto a, auto b) { return smaller(a, b); }
  static constexpr value cotangent(value g, value x, value y) {
    return max_reduction_operation::cotangent(g, x, y);
  }
  static constexpr operation op{name, reduction_kind::smallest, jacobian::general, &cotangent_of};
};

/// The smallest element over Axes (all where none is named), which are dropped, or kept with extent 1.
/// infinity (of whole numbers the highest one) where there is no element; NaN where one is NaN.
/// @formula y = min_i x_i; equal smallest elements share the gradient evenly
/// @shapes numbers [..] -> without the axes
/// @errors reduction_axis
/// @torch torch.amin
/// @jax jnp.min
/// @given x = [[1, 5, 3], [7, 2, 6]]
/// @gives tl::min(x) = 1
/// @gives tl::min<0>(x) = [1, 2, 3]
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto min(X x) {
  return make<reduction_statement<min_reduction_operation, false, Axes...>>(x);
}
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto min(X x, keep_dims_t) {
  return make<reduction_statement<min_reduction_operation, true, Axes...>>(x);
}

}  // namespace tapeless
