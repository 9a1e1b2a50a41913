// SPDX-License-Identifier: BSL-1.0
// nanmean<axes...>(x): the mean over the axes of what is not NaN.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/reduction/nansum.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

struct nanmean_operation {
  static constexpr std::string_view name = "nanmean";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr value build(value x, unsigned axes, bool keep) {
    return detail::at_least_float(x, [&](value of) {
      const value count = sum_operation::build(cast(of == of, of.type()), axes, keep);
      return nansum_operation::build(of, axes, keep) / count;
    });
  }
};

/// The arithmetic mean over Axes (all where none is named) of the elements that are not NaN; the axes are
/// dropped, or kept with extent 1. NaN where there is no such element. The derivative by a NaN is 0.
/// @formula y = (sum of the x_i that are not NaN) / (how many these are)
/// @shapes floating [..] -> without the axes
/// @errors reduction_axis element_kinds
/// @torch torch.nanmean
/// @jax jnp.nanmean
/// @given x = [[4, -1], [9, 16]]
/// @gives tl::nanmean(tl::sqrt(x)) = 3
/// @gives tl::nanmean<1>(tl::sqrt(x), tl::keep_dims) = [[2], [3.5]]
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto nanmean(X x) {
  return make<reduction_statement<nanmean_operation, false, Axes...>>(x);
}
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto nanmean(X x, keep_dims_t) {
  return make<reduction_statement<nanmean_operation, true, Axes...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous nanmean(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
