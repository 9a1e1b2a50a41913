// SPDX-License-Identifier: BSL-1.0
// Places along axes as tensors of whole numbers, and the operators that take them: Gather, Scatter, Slice,
// Pad.
#pragma once

#include <limits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/structural/axis_attributes.hpp>
#include <tapeless/graph/structural/sliding_windows.hpp>
#include <tapeless/onnx/value_writer.hpp>

namespace tapeless::onnx {

/// Whether the indices along an extent are few and known, so that they can be a constant.
constexpr bool are_constant(std::int64_t extent) {
  return extent_table::is_literal(extent) && extent <= 4096;
}

/// 0, 1, ... as elements of the type, in that shape, all of whose extents but one are 1.
TAPELESS_COLD inline std::string constant_range(value_writer& to, std::int64_t extent, element type,
                                                array_view<const std::int64_t> shape) {
  std::string bytes;
  for (std::int64_t i = 0; i < extent; ++i) bytes += bytes_of(static_cast<double>(i), type);
  return to.constant("integers", type, shape, bytes);
}

/// 0, 1, ... as [extent] of int64.
TAPELESS_COLD inline std::string range(value_writer& to, std::int64_t extent) {
  if (are_constant(extent)) return constant_range(to, extent, element::i64, {&extent, 1});
  const std::string end = to.add("Squeeze", {to.extent(extent)});
  return to.add("Range", {to.number(0, element::i64), end, to.number(1, element::i64)});
}

/// Whole numbers [n] as [1, .., n, .., 1] of that rank.
TAPELESS_COLD inline std::string along_axis(value_writer& to, const std::string& all, int axis, int rank) {
  if (rank == 1) return all;
  std::vector<std::int64_t> shape(static_cast<std::size_t>(rank), 1);
  shape[static_cast<std::size_t>(axis)] = -1;
  return to.add("Reshape", {all, to.integers(shape)});
}

/// The index along an axis, in the node's shape.
TAPELESS_COLD inline std::string write_iota(value_writer& to, const node& n, std::string_view result) {
  const int axis = axis_of(n);
  std::vector<std::int64_t> shape(static_cast<std::size_t>(n.rank), 1);
  shape[static_cast<std::size_t>(axis)] = n.shape[axis];
  bool repeated = false;
  for (int i = 0; i < n.rank; ++i) repeated = repeated || (i != axis && n.shape[i] != 1);
  std::string all;
  if (are_constant(n.shape[axis])) {
    all = constant_range(to, n.shape[axis], n.type, shape);
  } else {
    all = to.add("Cast", {along_axis(to, range(to, n.shape[axis]), axis, n.rank)},
                 attributes().set("to", type_number(n.type)), repeated ? std::string_view() : result);
  }
  return repeated ? to.add("Expand", {all, to.shape(extents_of(n))}, result) : all;
}

/// x along an axis from place `begin` on, `count` elements of every step-th one; all are extents.
TAPELESS_COLD inline std::string write_slice(value_writer& to, const std::string& x, const slice_places& s,
                                             std::int64_t count, std::string_view result) {
  extent_table& e = to.model().extents;
  const std::int64_t end = e.add(s.begin, e.multiply(count, s.step));  // beyond x's own end is allowed
  return to.add("Slice", {x, to.extent(s.begin), to.extent(end), to.integer(s.axis), to.integer(s.step)}, {},
                result);
}

/// The axis turned around.
TAPELESS_COLD inline std::string write_flip(value_writer& to, const node& n, const std::string& x,
                                            std::string_view result) {
  const std::string back = to.integer(-1), end = to.integer(std::numeric_limits<std::int64_t>::min());
  return to.add("Slice", {x, back, end, to.integer(axis_of(n)), back}, result);
}

/// x of that type and rank with zeros at the ends of an axis, as many as [1] of int64 say. Pad is not told
/// the axis: where onnxruntime moves a Transpose through Pad, it takes pads for those of all axes.
TAPELESS_COLD inline std::string add_zeros(value_writer& to, const std::string& x, element type, int rank,
                                           int axis, const std::string& before, const std::string& after,
                                           std::string_view result = {}) {
  const std::vector<std::int64_t> none(static_cast<std::size_t>(rank), 0);
  names pads;
  const auto add_none = [&](int count) {
    if (count > 0) pads.push_back(to.integers({none.data(), static_cast<std::size_t>(count)}));
  };
  add_none(axis);
  pads.push_back(before);
  add_none(rank - 1);
  pads.push_back(after);
  add_none(rank - 1 - axis);
  const std::string all = to.add("Concat", pads, attributes().set("axis", 0));
  return to.add("Pad", {x, all, to.number(0, type)}, result);
}

/// a - b, of extents: [1] of int64.
TAPELESS_COLD inline std::string extents_apart(value_writer& to, std::int64_t a, std::int64_t b) {
  if (extent_table::is_literal(a) && extent_table::is_literal(b)) return to.integer(a - b);
  return to.add("Sub", {to.extent(a), to.extent(b)});
}

/// x within zeros: element begin + i step of the result is element i of x. Pads may be negative: elements
/// that are cut off.
TAPELESS_COLD inline std::string write_pad(value_writer& to, const node& n, std::string x,
                                           std::string_view result) {
  extent_table& e = to.model().extents;
  const slice_places s = slice_of(n);
  const node operand = to.at(n.operands[0]);
  const std::int64_t spread = e.multiply(operand.shape[s.axis], s.step);
  if (s.step != 1) {  // step - 1 zeros behind each element
    x = to.add("Unsqueeze", {x, to.integer(s.axis + 1)});
    x = add_zeros(to, x, n.type, n.rank + 1, s.axis + 1, to.integer(0), to.integer(s.step - 1));
    node wide = operand;
    wide.shape[s.axis] = spread;
    x = to.reshape(x, to.shape(extents_of(wide)));
  }
  const std::string after = extents_apart(to, n.shape[s.axis], e.add(s.begin, spread));
  return add_zeros(to, x, n.type, n.rank, s.axis, to.extent(s.begin), after, result);
}

/// [count, size]: the places of the windows' elements along an axis.
TAPELESS_COLD inline std::string window_places(value_writer& to, std::int64_t count, const window& w) {
  std::vector<std::int64_t> each;
  for (std::int64_t k = 0; k < w.size; ++k) each.push_back(k * w.dilation);
  const std::string starts = along_axis(to, range(to, count), 0, 2);
  return to.add("Add", {to.add("Mul", {starts, to.integer(w.stride)}), to.integers(each)});
}

/// x with its axis `from` at the place `target`.
TAPELESS_COLD inline std::string move_axis(value_writer& to, const std::string& x, int rank, int from,
                                           int target, std::string_view result = {}) {
  std::vector<std::int64_t> order;
  for (int i = 0; i < rank; ++i)
    if (i != from) order.push_back(i);
  order.insert(order.begin() + target, from);
  return to.add("Transpose", {x}, attributes().set("perm", order), result);
}

/// [.., n, ..] -> [.., count, .., size]: all windows along an axis.
TAPELESS_COLD inline std::string write_windows(value_writer& to, const node& n, const std::string& x,
                                               std::string_view result) {
  const sliding_windows w = windows_of(n);
  const std::string places = window_places(to, n.shape[w.axis], w.each);
  const std::string seen = to.add("Gather", {x, places}, attributes().set("axis", w.axis));
  return move_axis(to, seen, n.rank, w.axis + 1, n.rank - 1, result);
}

/// For each place of the node's shape, the sum, the largest or the smallest of the elements that go there.
TAPELESS_COLD inline std::string bring_to_places(value_writer& to, const node& n, int axis, scatter_kind kind,
                                                 const std::string& places, const std::string& elements,
                                                 std::string_view result) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double none = 0;
  const char* reduction = "add";
  switch (kind) {
    case scatter_kind::add:
      break;
    case scatter_kind::largest:
      none = -infinity;
      reduction = "max";
      break;
    case scatter_kind::smallest:
      none = infinity;
      reduction = "min";
      break;
    case scatter_kind::replace:  // of parameters that are updated, which no output is
      break;
  }
  const std::string start = to.add("Expand", {to.number(none, n.type), to.shape(extents_of(n))});
  return to.add("ScatterElements", {start, places, elements},
                attributes().set("axis", axis).set("reduction", reduction), result);
}

/// [.., count, .., size] -> [.., n, ..]: windows along an axis, added up where they overlap.
TAPELESS_COLD inline std::string write_overlap(value_writer& to, const node& n, const std::string& x,
                                               std::string_view result) {
  const node operand = to.at(n.operands[0]);
  const sliding_windows w = windows_of(n, operand);
  const std::string moved = move_axis(to, x, operand.rank, operand.rank - 1, w.axis + 1);
  node flat = n;
  flat.shape[w.axis] = to.model().extents.multiply(operand.shape[w.axis], w.each.size);
  const std::string shape = to.shape(extents_of(flat));
  const std::string elements = to.reshape(moved, shape);
  const std::string places =
      to.add("Reshape", {window_places(to, operand.shape[w.axis], w.each), to.integer(-1)});
  const std::string each = to.add("Expand", {along_axis(to, places, w.axis, n.rank), shape});
  return bring_to_places(to, n, w.axis, scatter_kind::add, each, elements, result);
}

}  // namespace tapeless::onnx
