// SPDX-License-Identifier: BSL-1.0
// nansum<axes...>(x): the sum over the axes of what is not NaN.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/not_equal.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

struct nansum_operation {
  static constexpr std::string_view name = "nansum";
  static constexpr value build(value x, unsigned axes, bool keep) {
    return sum_operation::build(is_floating(x.type()) ? where(x != x, 0.0, x) : x, axes, keep);
  }
};

/// The sum over Axes (all where none is named) of the elements that are not NaN; the axes are dropped, or
/// kept with extent 1. 0 where there is no such element. The derivative by a NaN is 0. Of whole numbers it is
/// their sum.
/// @formula y = sum of the x_i that are not NaN
/// @shapes numbers [..] -> without the axes
/// @errors reduction_axis element_kinds
/// @torch torch.nansum
/// @jax jnp.nansum
/// @given x = [[4, -1], [9, 16]]
/// @gives tl::nansum(tl::sqrt(x)) = 9
/// @gives tl::nansum<1>(tl::sqrt(x), tl::keep_dims) = [[2], [7]]
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto nansum(X x) {
  return make<reduction_statement<nansum_operation, false, Axes...>>(x);
}
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto nansum(X x, keep_dims_t) {
  return make<reduction_statement<nansum_operation, true, Axes...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous nansum(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
