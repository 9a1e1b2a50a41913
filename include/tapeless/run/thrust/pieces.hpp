// SPDX-License-Identifier: BSL-1.0
// Passes in pieces along an axis, one after the other: where turns meet in memory, or where there are more
// elements than a launch takes.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/run/calls.hpp>
#include <tapeless/run/thrust/index_space.hpp>

namespace tapeless::thrust_kernels {

/// Calls run(piece) for pieces of the pass that have `size` turns of the axis each, or what is left.
template <class Body, class Run>
void in_pieces(const pass_call& call, int axis, std::int64_t size, Run run) {
  pass_operand operands[Body::count + 1];
  pass_call piece = call;
  piece.operands = operands;
  for (std::int64_t begin = 0; begin < call.extents[axis]; begin += size) {
    piece.extents[axis] = begin + size < call.extents[axis] ? size : call.extents[axis] - begin;
    for (int k = 0; k < Body::count; ++k) {
      operands[k] = call.operands[k];
      const std::int64_t elements = begin * operands[k].strides[axis];
      operands[k].data = moved(operands[k].data, elements * Body::element_size(k));
      operands[k].first_index += elements;
    }
    run(piece);
  }
}

inline std::int64_t turns_of(const pass_call& call) {
  std::int64_t turns = 1;
  for (int d = 0; d < call.rank; ++d) turns *= call.extents[d];
  return turns;
}

/// Calls run(piece) for pieces that a launch takes, cut along axes that are not reduced. Throws an error
/// where there are too few of these.
template <class Body, class Run>
void in_launches(const pass_call& call, Run run) {
  const std::int64_t turns = turns_of(call);
  if (turns <= most_items) return run(call);
  int axis = -1;
  for (int d = 0; d < call.rank; ++d)
    if ((call.reduced >> d & 1u) == 0 && (axis < 0 || call.extents[d] > call.extents[axis])) axis = d;
  if (axis < 0 || call.extents[axis] < 2)
    throw error({"a reduction of ", turns, " elements to one is more than a launch takes, ", most_items});
  const std::int64_t rest = turns / call.extents[axis];
  in_pieces<Body>(call, axis, rest < most_items ? most_items / rest : 1,
                  [&](const pass_call& piece) { in_launches<Body>(piece, run); });
}

}  // namespace tapeless::thrust_kernels
