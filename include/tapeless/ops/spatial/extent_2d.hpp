// SPDX-License-Identifier: BSL-1.0
// extent_2d: a number for each of the two axes of an image.
#pragma once

#include <cstdint>

namespace tapeless {

/// One number for the vertical and one for the horizontal axis; a single number stands for both. What has
/// one spatial axis reads the horizontal one.
struct extent_2d {
  int vertical = 0;
  int horizontal = 0;

  constexpr extent_2d() = default;
  constexpr extent_2d(int both) : vertical(both), horizontal(both) {}
  constexpr extent_2d(int first, int second) : vertical(first), horizontal(second) {}
  friend constexpr bool operator==(const extent_2d&, const extent_2d&) = default;

  /// The number for one of `axes` spatial axes, the last of which is the horizontal one.
  constexpr int along(int axis, int axes) const { return axis == axes - 1 ? horizontal : vertical; }
};

}  // namespace tapeless
