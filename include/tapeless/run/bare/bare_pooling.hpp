// SPDX-License-Identifier: BSL-1.0
// Poolings as loops with constant extents, where padding is where loops do not go. Neighbours in a row go in
// vectors where the machine has them, with the same bits: each element is the same operations in the same
// order. In the order of tables, padding is numbers that are 0, and windows of 2 by 2 elements that share
// none are summed up from their first element on.
#pragma once

#include <cstddef>

#include <tapeless/run/bare/bare_axis_loops.hpp>
#include <tapeless/run/bare/bare_pooled_image.hpp>
#include <tapeless/run/bare/bare_pooled_positions.hpp>

namespace tapeless::bare_kernels {

template <auto Shape, class Arithmetic>
struct bare_family<planned_pooling, Shape, Arithmetic> {
  static void run(std::byte* const* operands, std::ptrdiff_t) {
    using windows = bare_pooling_windows<Shape, Arithmetic>;
    using stored = typename windows::stored;
    constexpr auto& p = windows::p;
    const stored* source[3] = {begin_of<const stored>(operands, p.source[0]), nullptr, nullptr};
    if constexpr (p.sources > 1) source[1] = begin_of<const stored>(operands, p.source[1]);
    if constexpr (p.sources > 2) source[2] = begin_of<const stored>(operands, p.source[2]);
    auto* target = begin_of<stored>(operands, p.result);
    for (std::ptrdiff_t plane = 0; plane < windows::planes; ++plane)
      if constexpr (gives_image(p.computes)) {
        bare_pooled_image<Shape, Arithmetic>::run(source, plane, target + plane * windows::image);
      } else {
        bare_pooled_positions<Shape, Arithmetic>::run(source, plane, target + plane * windows::positions);
      }
  }
};

}  // namespace tapeless::bare_kernels
