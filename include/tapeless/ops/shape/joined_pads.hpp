// SPDX-License-Identifier: BSL-1.0
// The sum of padded values that do not overlap, without zeros in memory: what the cotangents of a value's
// slices add up to.
#pragma once

#include <tapeless/ops/shape/concat.hpp>

namespace tapeless::detail {

/// a and b end to end along the axis; parts that are such already are not copied twice.
constexpr value end_to_end(value a, value b, int axis) {
  value parts[2 * max_operands];
  int count = 0;
  for (const value& v : {a, b}) {
    const bool opened = v.is(concat_operation::op) && v.get().attributes[0] == axis;
    for (int k = 0; opened && k < v.get().operand_count; ++k) parts[count++] = v.operand(k);
    if (!opened) parts[count++] = v;
  }
  if (count <= max_operands) return concat(parts, count, axis);
  const value two[] = {a, b};
  return concat(two, 2, axis);
}

/// a + b, where both are padded along one axis and what is padded meets there; {} otherwise.
constexpr value joined_pads(value a, value b) {
  if (!a.is(pad_operation::op) || !b.is(pad_operation::op) || !(shape_of(a) == shape_of(b))) return {};
  const node left = a.get(), right = b.get();
  if (left.attributes[0] != right.attributes[0] || left.attributes[2] != 1 || right.attributes[2] != 1)
    return {};
  const int axis = static_cast<int>(left.attributes[0]);
  const value x = a.operand(0), y = b.operand(0);
  shape_list one = shape_of(x);
  one.extents[axis] = y.get().shape[axis];
  if (!(one == shape_of(y))) return {};
  extent_table& extents = a.builder->extents;
  if (extents.add(left.attributes[1], x.get().shape[axis]) == right.attributes[1])
    return pad(end_to_end(x, y, axis), axis, left.attributes[1], 1, left.shape[axis]);
  if (extents.add(right.attributes[1], y.get().shape[axis]) == left.attributes[1])
    return pad(end_to_end(y, x, axis), axis, right.attributes[1], 1, left.shape[axis]);
  return {};
}

}  // namespace tapeless::detail
