// SPDX-License-Identifier: BSL-1.0
// cumsum<axis>(x): sums of all elements so far along an axis.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/pointwise/cast.hpp>

namespace tapeless {

constexpr value cumulative_sum(value x, int axis, bool from_the_end);

struct cumsum_operation {
  static constexpr value cotangent_of(int, value g, const value*, value y) {
    const scan_places s = prefix_scan_of(y.get());
    return cumulative_sum(g, s.axis, !s.from_the_end);
  }
  static constexpr operation op{"cumsum", prefix_scan_kind::sum, jacobian::linear, &cotangent_of};
};

/// Element i along the axis is the sum of x's elements 0 to i; from the end, of i to the last.
constexpr value cumulative_sum(value x, int axis, bool from_the_end) {
  if (is_half(x.type()))  // added up in float
    return cast(cumulative_sum(cast(x, element::f32), axis, from_the_end), x.type());
  node n = detail::unary_node(cumsum_operation::op, x, shape_of(x));
  set_prefix_scan(n, {axis, from_the_end});
  return x.insert(n);
}

template <int Axis>
struct cumsum_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (!detail::require_kind("cumsum", x, element_kind::numbers) || is_axis_of_scalar(x, Axis)) return x;
    const int axis = detail::axis_of("cumsum", x, Axis);
    return axis < 0 ? x : cumulative_sum(x, axis, false);
  }
};

/// y_i = x_0 + ... + x_i along the axis; of x's shape.
/// @formula y_i = x_0 + x_1 + ... + x_i
/// @shapes numbers [..] -> [..]
/// @errors axes_and_counts element_kinds
/// @torch torch.cumsum
/// @jax jnp.cumsum
/// @given x = [[1, 2, 3], [4, 0, 6]]
/// @gives tl::cumsum<1>(x) = [[1, 3, 6], [4, 4, 10]]
template <int Axis>
TAPELESS_FACTORY auto cumsum(operand auto x) {
  return make<cumsum_statement<Axis>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous cumsum(detail::no_axis, ...) { return {}; }

}  // namespace tapeless
