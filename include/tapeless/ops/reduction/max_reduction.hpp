// SPDX-License-Identifier: BSL-1.0
// max<axes...>(x): the largest element over the axes; ties share the gradient evenly.
#pragma once

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/reduction_operation.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

struct max_reduction_operation : reduction_operation<max_reduction_operation> {
  static constexpr std::string_view name = "max";
  template <class T>
  static constexpr T identity = below_all<T>;
  static constexpr auto combine(auto a, auto b) { return larger(a, b); }
  static constexpr value cotangent(value g, value x, value y) {
    const value tied = x == y;
    const element counted = computed_in(g.type());  // 16 bits do not count far
    const value count = sum_operation::build(cast(tied, counted), reduced_axes(x, y), true);
    return where(tied, cast(cast(g, counted) / count, g.type()), 0.0);
  }
  static constexpr operation op{name, reduction_kind::largest, jacobian::general, &cotangent_of};
};

/// The largest element over Axes (all where none is named), which are dropped, or kept with extent 1.
/// -infinity (of whole numbers the lowest one) where there is no element; NaN where one is NaN.
/// @formula y = max_i x_i; equal largest elements share the gradient evenly
/// @shapes numbers [..] -> without the axes
/// @errors reduction_axis
/// @torch torch.amax
/// @jax jnp.max
/// @given x = [[1, 5, 3], [7, 2, 6]]
/// @gives tl::max(x) = 7
/// @gives tl::max<0>(x) = [7, 5, 6]
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto max(X x) {
  return make<reduction_statement<max_reduction_operation, false, Axes...>>(x);
}
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto max(X x, keep_dims_t) {
  return make<reduction_statement<max_reduction_operation, true, Axes...>>(x);
}

}  // namespace tapeless
