// SPDX-License-Identifier: BSL-1.0
// Rewrites pad(a) + pad(b) of adjacent slices as concat(a, b). The cotangents of a value's slices are added
// up so, without zeros in memory.
#pragma once

#include <tapeless/ops/shape/concat.hpp>

namespace tapeless::detail {

/// a and b end to end along the axis; parts that are such already are not copied twice.
constexpr value end_to_end(value a, value b, int axis) {
  value parts[2 * most_joined];
  int count = 0;
  for (const value& v : {a, b}) {
    const bool opened = v.is(concat_operation::op) && axis_of(v.get()) == axis;
    for (int k = 0; opened && k < v.get().operand_count; ++k) parts[count++] = v.operand(k);
    if (!opened) parts[count++] = v;
  }
  if (count <= most_joined) return concat(parts, count, axis);
  const value two[] = {a, b};
  return concat(two, 2, axis);
}

/// a + b, where both are padded along one axis and what is padded meets there; {} otherwise.
constexpr value joined_pads(value a, value b) {
  if (!a.is(pad_operation::op) || !b.is(pad_operation::op) || !(shape_of(a) == shape_of(b))) return {};
  const slice_places left = slice_of(a.get()), right = slice_of(b.get());
  if (left.axis != right.axis || left.step != 1 || right.step != 1) return {};
  const int axis = left.axis;
  const std::int64_t extent = a.get().shape[axis];
  const value x = a.operand(0), y = b.operand(0);
  shape_list one = shape_of(x);
  one.extents[axis] = y.get().shape[axis];
  if (!(one == shape_of(y))) return {};
  extent_table& extents = a.builder->extents;
  if (extents.add(left.begin, x.get().shape[axis]) == right.begin)
    return pad(end_to_end(x, y, axis), axis, left.begin, 1, extent);
  if (extents.add(right.begin, y.get().shape[axis]) == left.begin)
    return pad(end_to_end(y, x, axis), axis, right.begin, 1, extent);
  return {};
}

}  // namespace tapeless::detail
