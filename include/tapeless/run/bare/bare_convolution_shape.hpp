// SPDX-License-Identifier: BSL-1.0
// What is constant of a convolution: the extents of one group, and the order of its weight's gradient.
#pragma once

#include <cstddef>

#include <tapeless/run/bare/bare_shape.hpp>
#include <tapeless/run/bare/bare_windows.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/order_of_convolutions.hpp>

namespace tapeless::bare_kernels {

template <auto Shape, class Arithmetic>
struct bare_convolution_shape {
  static constexpr auto p = planned_of<planned_convolution, Shape>();
  using stored = storage_of<p.type>;
  using number = computed_as<p.type>;
  static constexpr detail::windows_along down = detail::windows_of(p, 0), across = detail::windows_of(p, 1);
  static constexpr auto batch = static_cast<std::ptrdiff_t>(p.batch),
                        groups = static_cast<std::ptrdiff_t>(p.groups),
                        in = static_cast<std::ptrdiff_t>(p.in) / groups,
                        out = static_cast<std::ptrdiff_t>(p.out) / groups;
  static constexpr std::ptrdiff_t image = down.image * across.image,
                                  positions = down.positions * across.positions,
                                  taps = down.kernel * across.kernel;
  static constexpr std::ptrdiff_t longer_row =
      across.image > across.positions ? across.image : across.positions;

  // The order of the weight's gradient: column i goes to sum i mod `parts`, and these are combined by halves.
  // A tap adds up rows of positions, in tables' order all of them.
  static constexpr bool as_tables = Arithmetic::sums_as_tables;
  static constexpr int parts = [] {
    if constexpr (as_tables) {
      return Arithmetic::template width<number>;
    } else {
      return longer_row > 8 ? 16 : 8;
    }
  }();
  static constexpr std::ptrdiff_t first_row(std::ptrdiff_t k) {
    return as_tables ? 0 : down.first_position(k);
  }
  static constexpr std::ptrdiff_t end_row(std::ptrdiff_t k) {
    return as_tables ? down.positions : down.end_position(k);
  }
};

}  // namespace tapeless::bare_kernels
