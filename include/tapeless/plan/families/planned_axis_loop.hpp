// SPDX-License-Identifier: BSL-1.0
// What families have in common that go through elements one after the other, along one axis in a way of their
// own.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tapeless/plan/families/kernel_family.hpp>

namespace tapeless {

/// An operand in memory, and how far its elements are apart along each loop.
struct strided_operand {
  std::byte* data = nullptr;
  std::int64_t strides[max_rank] = {};
};

/// Nested loops with all extents known. Operands that a family does not have stay empty.
struct axis_loop_arguments {
  int rank = 0;
  std::int64_t extents[max_rank] = {};
  int axis = 0;
  strided_operand source = {}, index = {}, target = {};

  /// Lets an operand of elements T go from the last to the first along the axis, of which there must be some.
  template <class T>
  constexpr void reverse(strided_operand& o) const {
    o.data += (extents[axis] - 1) * o.strides[axis] * static_cast<std::int64_t>(sizeof(T));
    o.strides[axis] = -o.strides[axis];
  }
  /// Whether there is no element: an operand may then be a null pointer, from which none steps.
  constexpr bool is_empty() const { return std::count(extents, extents + rank, 0) != 0; }
};

/// Nested loops, from the outermost to the innermost axis. In all accesses the stride of `axis` is along the
/// axis of the node itself.
struct planned_axis_loop {
  static constexpr bool has_expansion = false;
  static constexpr operand_layout layout = operand_layout::memory;
  static constexpr int operands = 3;

  element type = element::f32, index_type = element::i32;
  int rank = 0;
  std::int64_t extents[max_rank] = {};
  int axis = 0;
  access source = {}, index = {}, result = {};

  template <class F>
  constexpr void for_each_source(F f) const {
    f(source);
    if (index.base >= 0) f(index);
  }
  constexpr const access& target() const { return result; }

 protected:
  // The loops are the axes of `shape`, those of extent 1 with their strides, too: an index may pick from
  // them.
  constexpr void set_loops(graph& g, int id, const node& shape) {
    const node& n = g.nodes[id];
    type = n.type;
    rank = n.rank;
    axis = axis_of(n);
    for (int i = 0; i < rank; ++i) extents[i] = shape.shape[i];
    resolve(g, n.operands[0], source);
    resolve(g, id, result);
    if (n.operand_count < 2) return;
    resolve(g, n.operands[1], index);
    index_type = g.nodes[n.operands[1]].type;
  }

  template <class Launch>
  void launch_loops(axis_loop_arguments& arguments, Launch& at) const {
    arguments.rank = rank;
    arguments.axis = axis;
    for (int d = 0; d < rank; ++d) arguments.extents[d] = at.extent(extents[d]);
    at.place(source, type, arguments.source, rank);
    if (index.base >= 0) at.place(index, index_type, arguments.index, rank);
    at.place(result, type, arguments.target, rank);
  }
};

}  // namespace tapeless
