// SPDX-License-Identifier: BSL-1.0
// median<axes...>(x): the element in the middle.
#pragma once

#include <tapeless/ops/indexing/quantile.hpp>

namespace tapeless {

struct median_operation {
  static constexpr std::string_view name = "median";
  static constexpr value build(value x, unsigned axes, bool keep) {
    return detail::chosen_of_lines(name, x, axes, keep, [](const detail::ordered_lines& lines) {
      return lines.at(floor(lines.last() * 0.5));
    });
  }
};

/// The element in the middle of the order, of an even number the lower one of two, over Axes (all where none
/// is named), which are dropped, or kept with extent 1. NaN where there is one. Of equal elements the first
/// one in the middle gets the derivative. Over a run-time extent of 0 it is an error when the program runs.
/// Costs as much as sort.
/// @formula y = x_floor((n - 1) / 2), where x_0 <= x_1 <= ...
/// @shapes numbers [..] -> without the axes
/// @errors order_statistics
/// @torch torch.median
/// @jax none
/// @given x = [[3, 1, 2, 9], [8, 5, 4, 5]]
/// @gives tl::median<1>(x) = [2, 5]
/// @gives tl::median(x) = 4
template <axis_number auto... Axes, operand X>
TAPELESS_FACTORY auto median(X x) {
  return make<reduction_statement<median_operation, false, Axes...>>(x);
}
template <axis_number auto... Axes, operand X>
TAPELESS_FACTORY auto median(X x, keep_dims_t) {
  return make<reduction_statement<median_operation, true, Axes...>>(x);
}

}  // namespace tapeless
