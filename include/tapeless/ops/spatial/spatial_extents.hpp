// SPDX-License-Identifier: BSL-1.0
// spatial_extents: a number for each spatial axis.
#pragma once

#include <cstdint>

namespace tapeless {

/// One number for each spatial axis, the horizontal one last; a single number stands for all of them. What
/// has one spatial axis reads the horizontal one of two.
///
/// Compilers write values of this type as the list of its members, which is made into it again: there are
/// three members, and three numbers say them.
struct spatial_extents {
  static constexpr int none = -2147483647;  ///< the depth of two different numbers

  int depth = 0;
  int vertical = 0;
  int horizontal = 0;

  constexpr spatial_extents() = default;
  constexpr spatial_extents(int all) : depth(all), vertical(all), horizontal(all) {}
  constexpr spatial_extents(int first, int second)
      : depth(first == second ? first : none), vertical(first), horizontal(second) {}
  constexpr spatial_extents(int first, int second, int third)
      : depth(first), vertical(second), horizontal(third) {}
  friend constexpr bool operator==(const spatial_extents&, const spatial_extents&) = default;

  /// The number for one of `axes` spatial axes, the last of which is the horizontal one.
  constexpr int along(int axis, int axes) const {
    return axis == axes - 1 ? horizontal : axis == axes - 2 || depth == none ? vertical : depth;
  }
  /// Whether there is a number for each of so many axes, and none too many.
  constexpr bool fits(int axes) const {
    const bool is_one = depth == vertical && depth == horizontal;
    return is_one || (axes == 3) == (depth != none);
  }
};

}  // namespace tapeless
