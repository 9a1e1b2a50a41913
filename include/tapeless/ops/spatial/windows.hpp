// SPDX-License-Identifier: BSL-1.0
// windows(x, axis, ...): all windows along an axis, as a view; and overlap_add, its transpose. Convolution
// and pooling are made of them.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/structural/sliding_windows.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/pointwise/cast.hpp>

namespace tapeless {

constexpr value windows(value x, int axis, const window& w);
constexpr value overlap_add(value x, int axis, const window& w, std::int64_t extent);

struct windows_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    const sliding_windows w = windows_of(y.get());
    return overlap_add(g, w.axis, w.each, x[0].get().shape[w.axis]);
  }
  static constexpr operation op{"windows", view_kind::windows, jacobian::linear, &cotangent_of};
};

struct overlap_add_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    const sliding_windows w = windows_of(y.get(), x[0].get());
    return windows(g, w.axis, w.each);
  }
  static constexpr operation op{"overlap_add", family::overlap, jacobian::linear, &cotangent_of};
};

/// How many windows fit into an extent.
constexpr std::int64_t window_count(graph& g, std::int64_t extent, const window& w) {
  const std::int64_t span = w.dilation * (w.size - 1) + 1;
  return g.extents.add(g.extents.divide(g.extents.subtract(extent, span), w.stride), 1);
}

/// [.., n, ..] -> [.., count, .., size]: element (i, k) of the result's axis and its new last axis is element
/// i * stride + k * dilation of x. Precondition: at least one window fits where n is literal.
constexpr value windows(value x, int axis, const window& w) {
  shape_list shape = shape_of(x);
  shape.extents[axis] = window_count(*x.builder, shape.extents[axis], w);
  shape.extents[shape.rank++] = w.size;
  node n = detail::unary_node(windows_operation::op, x, shape);
  set_windows(n, {axis, w});
  return x.insert(n);
}

/// [.., count, .., size] -> [.., extent, ..]: adds element (i, k) to element i * stride + k * dilation.
constexpr value overlap_add(value x, int axis, const window& w, std::int64_t extent) {
  if (is_half(x.type()))  // added up in float
    return cast(overlap_add(cast(x, element::f32), axis, w, extent), x.type());
  shape_list shape = shape_of(x);
  shape.extents[axis] = extent;
  --shape.rank;
  node n = detail::unary_node(overlap_add_operation::op, x, shape);
  set_windows(n, {axis, w});
  return x.insert(n);
}

}  // namespace tapeless
