// SPDX-License-Identifier: BSL-1.0
// mean<axes...>(x): the sum over the axes, divided by the number of elements.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

struct mean_operation {
  static constexpr std::string_view name = "mean";
  static constexpr element_kind takes = element_kind::floating;
  // A sum of 16 bits could be infinite where the mean is not.
  static constexpr value build(value x, unsigned axes, bool keep) {
    const std::int64_t count = detail::count_over(x, axes);
    return detail::at_least_float(x, [&](value of) {
      return sum_operation::build(of, axes, keep) * (1.0 / make_size(*of.builder, count));
    });
  }
};

/// The arithmetic mean over Axes (all where none is named), which are dropped, or kept with extent 1; NaN
/// where there is no element.
/// @formula y = sum_i x_i / n
/// @shapes floating [..] -> without the axes
/// @errors reduction_axis element_kinds
/// @torch torch.mean
/// @jax jnp.mean
/// @given x = [[1, 2, 3], [4, 5, 9]]
/// @gives tl::mean(x) = 4
/// @gives tl::mean<1>(x, tl::keep_dims) = [[2], [6]]
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto mean(X x) {
  return make<reduction_statement<mean_operation, false, Axes...>>(x);
}
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto mean(X x, keep_dims_t) {
  return make<reduction_statement<mean_operation, true, Axes...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous mean(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
