// SPDX-License-Identifier: BSL-1.0
// The kernel family of fused maps: passes that reduce nothing, one item for each element, or for as many
// neighbours as fit into 16 bytes.
#pragma once

#include <tapeless/run/thrust/pass_body.hpp>
#include <tapeless/run/thrust/pieces.hpp>

namespace tapeless::thrust_kernels {

/// One item's work.
template <class Body, int Width>
struct map_kernel {
  typename Body::operands operands;
  index_space space;

  constexpr void operator()(std::uint32_t item) const { compute<Width>(item); }

  /// The same for a width that is known later.
  template <int Neighbours>
  constexpr void compute(std::uint32_t item) const {
    typename Body::place p;
    p.move(operands, space, 0, item);
    Body::template compute_neighbours<Neighbours>(operands, p);
  }
};

/// Runs a map on an executor.
template <class Body>
class map {
 public:
  template <class Executor>
  static void run(const pass_call& call, Executor& executor) {
    const auto start_piece = [&](const pass_call& piece) {
      in_launches<Body>(piece, [&](const pass_call& launch) { start(launch, executor); });
    };
    const int repeated = axis_to_repeat(call);
    if (repeated < 0) return start_piece(call);
    in_pieces<Body>(call, repeated, 1, start_piece);
  }

 private:
  // Of two axes whose turns meet, the turns of one are run after each other; along the other one no two
  // elements are the same.
  static int axis_to_repeat(const pass_call& call) {
    int first = -1, ordered = 0;
    for (int d = call.rank - 1; d >= 0; --d)
      if (call.accumulates && (call.ordered >> d & 1u) != 0 && call.extents[d] > 1) {
        first = d;
        ++ordered;
      }
    return ordered > 1 ? first : -1;
  }

  template <class Executor>
  static void start(const pass_call& call, Executor& executor) {
    if (Body::widest > 1 && fits(call, Body::widest)) return start<Body::widest>(call, executor);
    start<1>(call, executor);
  }

  template <int Width, class Executor>
  static void start(const pass_call& call, Executor& executor) {
    const auto kernel = make<Width, map_kernel<Body, Width>>(call);
    if (kernel.space.count > 0) executor.for_each(kernel.space.count, kernel);
  }

 public:
  /// The kernel whose items are Width neighbours each.
  template <int Width, class Kernel>
  static Kernel make(const pass_call& call) {
    Kernel kernel{typename Body::operands(call), {}};
    for (int d = 0; d < call.rank; ++d)
      kernel.space.add_axis(d + 1 == call.rank ? call.extents[d] / Width : call.extents[d]);
    for (int k = 0; k < Body::count && call.rank > 0; ++k) kernel.operands.strides[k][call.rank - 1] *= Width;
    return kernel;
  }

  /// Whether items of so many neighbours are possible: each starts where one instruction can load them all.
  static bool fits(const pass_call& call, std::int64_t width) {
    if (call.rank == 0 || call.extents[call.rank - 1] % width != 0) return false;
    for (int k = 0; k < Body::count; ++k) {
      if (!Body::is_contiguous(k)) continue;
      if (reinterpret_cast<std::uintptr_t>(call.operands[k].data) %
              static_cast<std::uintptr_t>(width * Body::element_size(k)) !=
          0)
        return false;
      for (int d = 0; d + 1 < call.rank; ++d)
        if (call.operands[k].strides[d] % width != 0) return false;
    }
    return true;
  }
};

}  // namespace tapeless::thrust_kernels
