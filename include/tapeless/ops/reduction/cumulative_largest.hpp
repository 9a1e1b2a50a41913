// SPDX-License-Identifier: BSL-1.0
// The largest of all elements so far along an axis: what cummax and logcumsumexp are made of.
#pragma once

#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/pointwise/cast.hpp>

namespace tapeless {

/// No derivative flows through it: cummax finds the elements again.
struct cumulative_largest_operation {
  static constexpr value cotangent_of(int, value, const value*, value) { return {}; }
  static constexpr operation op{"cummax", prefix_scan_kind::largest, jacobian::diagonal, &cotangent_of};
};

/// Element i along the axis is the largest of x's elements 0 to i, and NaN from the first NaN on.
constexpr value cumulative_largest(value x, int axis) {
  if (is_half(x.type())) return cast(cumulative_largest(cast(x, element::f32), axis), x.type());
  node n = detail::unary_node(cumulative_largest_operation::op, x, shape_of(x));
  set_prefix_scan(n, {axis, false});
  return x.insert(n);
}

}  // namespace tapeless
