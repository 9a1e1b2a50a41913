// SPDX-License-Identifier: BSL-1.0
// What all views share: one operand, whose elements are only seen otherwise. Nothing is copied for a view
// unless its reader needs contiguous elements.
#pragma once

#include <tapeless/graph/core/value.hpp>
#include <tapeless/graph/structural/axis_attributes.hpp>

namespace tapeless {

// Views are one another's derivatives, so each knows all of them.
constexpr value reshape(value x, const shape_list& shape);
constexpr value permute(value x, const int* axes);
constexpr value expand(value x, const shape_list& shape);
constexpr value slice(value x, int axis, std::int64_t begin, std::int64_t step, std::int64_t count);
constexpr value pad(value x, int axis, std::int64_t before, std::int64_t step, std::int64_t extent);

namespace detail {

/// A node with the operand's element type, one operand, and the given shape.
constexpr node unary_node(const operation& op, value x, const shape_list& shape) {
  node n;
  n.op = &op;
  n.type = x.type();
  set_shape(n, shape);
  n.operand_count = 1;
  n.operands[0] = x.id;
  return n;
}

constexpr text shape_sentence(std::string_view op, value x) {
  text t;
  t << op << " of a value of the shape ";
  x.builder->describe_shape(t, x.get());
  return t;
}

/// The axis counted from the front; where x has no such axis, -1, and the graph has the error.
constexpr int axis_of(std::string_view op, value x, int axis) {
  const int found = normal_axis(axis, x.rank());
  if (found < 0) x.fail(shape_sentence(op, x) << ": it has no axis " << axis);
  return found;
}

}  // namespace detail

}  // namespace tapeless
