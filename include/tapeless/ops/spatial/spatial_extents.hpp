// SPDX-License-Identifier: BSL-1.0
// spatial_extents: a number for each spatial axis.
#pragma once

#include <cstdint>

namespace tapeless {

/// One number for each spatial axis, the horizontal one last; a single number stands for all of them. What
/// has one spatial axis reads the horizontal one of two.
struct spatial_extents {
  int depth = 0;
  int vertical = 0;
  int horizontal = 0;
  int count = 1;  ///< how many of them were given

  constexpr spatial_extents() = default;
  constexpr spatial_extents(int all) : depth(all), vertical(all), horizontal(all) {}
  constexpr spatial_extents(int first, int second)
      : depth(first), vertical(first), horizontal(second), count(first == second ? 1 : 2) {}
  constexpr spatial_extents(int first, int second, int third)
      : depth(first), vertical(second), horizontal(third), count(first == second && first == third ? 1 : 3) {}
  friend constexpr bool operator==(const spatial_extents&, const spatial_extents&) = default;

  /// The number for one of `axes` spatial axes, the last of which is the horizontal one.
  constexpr int along(int axis, int axes) const {
    return axis == axes - 1 ? horizontal : axis == axes - 2 ? vertical : depth;
  }
  /// Whether there is a number for each of so many axes, and none too many.
  constexpr bool fits(int axes) const { return count == 1 || (axes == 3) == (count == 3); }
};

}  // namespace tapeless
