// SPDX-License-Identifier: BSL-1.0
// The kernel family of fused maps: what reduces nothing, one item for each element, or for as many
// neighbours as fit into 16 bytes.
#pragma once

#include <tapeless/run/gpu/kernels/kernel_body.hpp>
#include <tapeless/run/gpu/kernels/pieces.hpp>

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
    p.template move<Neighbours>(operands, space, 0, item);
    Body::template compute_neighbours<Neighbours>(operands, p);
  }
};

namespace detail {

/// The items of a piece, of `width` neighbours each.
inline index_space items_of(const kernel_piece& piece, int width) {
  index_space space;
  for (int d = 0; d < piece.arguments.rank; ++d)
    space.add_axis(d + 1 == piece.arguments.rank ? piece.extents[d] / width : piece.extents[d]);
  return space;
}

}  // namespace detail

/// Runs a map on an executor.
template <class Body>
class map {
 public:
  template <class Executor>
  static void run(const fused_kernel_arguments& arguments, Executor& executor) {
    in_ordered_launches(arguments, {&start<Executor>, &executor});
  }

  /// Whether items may be as many neighbours as fit into 16 bytes.
  static bool is_wide(const kernel_piece& piece) {
    return fits(piece, Body::in_memory.widest, Body::in_memory.is_contiguous);
  }

  /// The kernel whose items are so many neighbours each.
  template <class Kernel>
  static Kernel make(const kernel_piece& piece, int width) {
    return {typename Body::operands(piece, width), detail::items_of(piece, width)};
  }

 private:
  template <class Executor>
  static void start(const kernel_piece& piece, void* executor) {
    auto& runs = *static_cast<Executor*>(executor);
    if (is_wide(piece)) return start<Body::in_memory.widest>(piece, runs);
    start<1>(piece, runs);
  }
  template <int Width, class Executor>
  static void start(const kernel_piece& piece, Executor& executor) {
    const auto kernel = make<map_kernel<Body, Width>>(piece, Width);
    if (kernel.space.count > 0) executor.for_each(kernel.space.count, kernel);
  }
};

}  // namespace tapeless::thrust_kernels
