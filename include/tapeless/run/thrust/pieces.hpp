// SPDX-License-Identifier: BSL-1.0
// Passes in pieces along an axis, one after the other: where turns meet in memory, or where there are more
// elements than a launch takes. The same code for all passes.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/run/calls.hpp>
#include <tapeless/run/thrust/index_space.hpp>

namespace tapeless::thrust_kernels {

/// Some turns of each of a pass's loops: so many from number `begin` on. A call is a piece of all its turns.
struct pass_piece {
  const pass_call& call;
  std::int64_t begin[max_rank] = {};
  std::int64_t extents[max_rank] = {};

  pass_piece(const pass_call& all) : call(all) {
    for (int d = 0; d < call.rank; ++d) extents[d] = call.extents[d];
  }

  std::int64_t turns() const {
    std::int64_t n = 1;
    for (int d = 0; d < call.rank; ++d) n *= extents[d];
    return n;
  }
  /// How many elements the piece is away from an operand's start.
  std::int64_t offset(const pass_operand& o) const {
    std::int64_t n = 0;
    for (int d = 0; d < call.rank; ++d) n += begin[d] * o.strides[d];
    return n;
  }
  std::byte* data(int k) const {
    const pass_operand& o = call.operands[k];
    return moved(o.data, offset(o) * o.size);
  }
};

/// What runs a piece on an executor.
struct piece_runner {
  void (*start)(const pass_piece&, void* executor);
  void* executor;
  void operator()(const pass_piece& piece) const { start(piece, executor); }
};

/// Calls run(piece) for pieces that have `size` turns of the axis each, or what is left.
template <class Run>
void in_pieces(const pass_piece& whole, int axis, std::int64_t size, const Run& run) {
  pass_piece piece = whole;
  for (std::int64_t done = 0; done < whole.extents[axis]; done += size) {
    piece.begin[axis] = whole.begin[axis] + done;
    piece.extents[axis] = done + size < whole.extents[axis] ? size : whole.extents[axis] - done;
    run(piece);
  }
}

/// Runs pieces that a launch takes, cut along axes that are not reduced. Throws an error where there are too
/// few of these.
inline void in_launches(const pass_piece& whole, const piece_runner& run) {
  const std::int64_t turns = whole.turns();
  if (turns <= most_items) return run(whole);
  int axis = -1;
  for (int d = 0; d < whole.call.rank; ++d)
    if ((whole.call.reduced >> d & 1u) == 0 && (axis < 0 || whole.extents[d] > whole.extents[axis])) axis = d;
  if (axis < 0 || whole.extents[axis] < 2)
    throw error({"a reduction of ", turns, " elements to one is more than a launch takes, ", most_items});
  const std::int64_t rest = turns / whole.extents[axis];
  in_pieces(whole, axis, rest < most_items ? most_items / rest : 1,
            [&](const pass_piece& piece) { in_launches(piece, run); });
}

/// The same for a pass that adds to what is in memory: of two axes whose turns meet there, the turns of one
/// are run after each other; along the other one no two elements are the same.
inline void in_ordered_launches(const pass_call& call, const piece_runner& run) {
  int first = -1, ordered = 0;
  for (int d = call.rank - 1; d >= 0; --d)
    if (call.accumulates && (call.ordered >> d & 1u) != 0 && call.extents[d] > 1) {
      first = d;
      ++ordered;
    }
  if (ordered < 2) return in_launches(call, run);
  in_pieces(call, first, 1, [&](const pass_piece& piece) { in_launches(piece, run); });
}

}  // namespace tapeless::thrust_kernels
