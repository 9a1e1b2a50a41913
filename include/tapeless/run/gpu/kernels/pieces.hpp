// SPDX-License-Identifier: BSL-1.0
// Fused kernels in pieces along an axis, one after the other. Needed if iterations meet in memory, or if
// there are more elements than a launch takes. The same code for all fused kernels.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/gpu/kernels/index_space.hpp>

namespace tapeless::thrust_kernels {

/// Some iterations of each of a fused kernel's loops: so many from number `begin` on. Launch arguments are a
/// piece of all iterations.
struct kernel_piece {
  const fused_kernel_arguments& arguments;
  std::int64_t begin[max_rank] = {};
  std::int64_t extents[max_rank] = {};

  kernel_piece(const fused_kernel_arguments& all) : arguments(all) {
    for (int d = 0; d < arguments.rank; ++d) extents[d] = arguments.extents[d];
  }

  std::int64_t iterations() const {
    std::int64_t n = 1;
    for (int d = 0; d < arguments.rank; ++d) n *= extents[d];
    return n;
  }
  /// How many elements the piece is away from an operand's start.
  std::int64_t offset(const fused_kernel_operand& o) const {
    std::int64_t n = 0;
    for (int d = 0; d < arguments.rank; ++d) n += begin[d] * o.strides[d];
    return n;
  }
  std::byte* data(int k) const {
    const fused_kernel_operand& o = arguments.operands[k];
    return moved(o.data, offset(o) * o.size);
  }
};

/// Whether a piece's innermost loop can go on by so many neighbours: they always start where one instruction
/// can load them all.
inline bool fits(const kernel_piece& piece, std::int64_t width, const bool* is_contiguous) {
  const int rank = piece.arguments.rank;
  if (width == 1) return true;
  if (rank == 0 || piece.extents[rank - 1] % width != 0) return false;
  for (int k = 0; k < piece.arguments.operand_count; ++k) {
    if (!is_contiguous[k]) continue;
    const fused_kernel_operand& o = piece.arguments.operands[k];
    if (reinterpret_cast<std::uintptr_t>(piece.data(k)) % static_cast<std::uintptr_t>(width * o.size) != 0)
      return false;
    for (int d = 0; d + 1 < rank; ++d)
      if (o.strides[d] % width != 0) return false;
  }
  return true;
}

/// What runs a piece on an executor.
struct piece_runner {
  void (*start)(const kernel_piece&, void* executor);
  void* executor;
  void operator()(const kernel_piece& piece) const { start(piece, executor); }
};

/// Calls run(piece) for pieces that have `size` iterations of the axis each, or what is left.
template <class Run>
void in_pieces(const kernel_piece& whole, int axis, std::int64_t size, const Run& run) {
  kernel_piece piece = whole;
  for (std::int64_t done = 0; done < whole.extents[axis]; done += size) {
    piece.begin[axis] = whole.begin[axis] + done;
    piece.extents[axis] = done + size < whole.extents[axis] ? size : whole.extents[axis] - done;
    run(piece);
  }
}

/// Runs pieces that a launch takes, cut along axes that are not reduced. Throws an error where there are too
/// few of these.
inline void in_launches(const kernel_piece& whole, const piece_runner& run) {
  const std::int64_t iterations = whole.iterations();
  if (iterations <= most_items) return run(whole);
  int axis = -1;
  for (int d = 0; d < whole.arguments.rank; ++d)
    if ((whole.arguments.reduced >> d & 1u) == 0 && (axis < 0 || whole.extents[d] > whole.extents[axis]))
      axis = d;
  if (axis < 0 || whole.extents[axis] < 2)
    throw_error(
        {"a reduction of ", iterations, " elements to one is more than a launch takes, ", most_items});
  const std::int64_t rest = iterations / whole.extents[axis];
  std::int64_t size = rest < most_items ? most_items / rest : 1;
  if (size > 64) size -= size % 64;  // so that the next piece's elements are aligned as the first one's are
  in_pieces(whole, axis, size, [&](const kernel_piece& piece) { in_launches(piece, run); });
}

/// The same for a fused kernel that adds to what is in memory. Where the iterations of two axes meet there,
/// those of one axis are run after each other. Along the other one no two elements are the same.
inline void in_ordered_launches(const fused_kernel_arguments& arguments, const piece_runner& run) {
  int first = -1, ordered = 0;
  for (int d = arguments.rank - 1; d >= 0; --d)
    if (arguments.accumulates && (arguments.ordered >> d & 1u) != 0 && arguments.extents[d] > 1) {
      first = d;
      ++ordered;
    }
  if (ordered < 2) return in_launches(arguments, run);
  in_pieces(arguments, first, 1, [&](const kernel_piece& piece) { in_launches(piece, run); });
}

}  // namespace tapeless::thrust_kernels
