// SPDX-License-Identifier: BSL-1.0
// resize: the options of interpolate.
#pragma once

#include <tapeless/ops/spatial/spatial_extents.hpp>

namespace tapeless {

/// A factor for each spatial axis, the horizontal one last; a single one stands for all of them.
struct scale_factors {
  double depth = 0, vertical = 0, horizontal = 0;
  int count = 1;  ///< how many of them were given

  constexpr scale_factors() = default;
  constexpr scale_factors(double all) : depth(all), vertical(all), horizontal(all) {}
  constexpr scale_factors(double first, double second)
      : depth(first), vertical(first), horizontal(second), count(first == second ? 1 : 2) {}
  constexpr scale_factors(double first, double second, double third)
      : depth(first), vertical(second), horizontal(third), count(first == second && first == third ? 1 : 3) {}
  /// What compilers write: all members.
  constexpr scale_factors(double first, double second, double third, int given)
      : depth(first), vertical(second), horizontal(third), count(given) {}
  friend constexpr bool operator==(const scale_factors&, const scale_factors&) = default;

  constexpr double along(int axis, int axes) const {
    return axis == axes - 1 ? horizontal : axis == axes - 2 ? vertical : depth;
  }
  constexpr bool fits(int axes) const { return count == 1 || (axes == 3) == (count == 3); }
};

/// How elements between those of x come about.
enum class interpolation : std::uint8_t {
  nearest,        ///< the element before, as OpenCV's INTER_NEAREST
  nearest_exact,  ///< the nearest element
  linear,         ///< [batch, channels, length]
  bilinear,       ///< images
  bicubic,        ///< images
  trilinear,      ///< volumes
  area            ///< adaptive_avg_pool's means
};

/// Options of interpolate, with PyTorch's defaults: either a size or scale factors.
struct resize {
  spatial_extents size = 0;        ///< of the result
  scale_factors scale_factor = 0;  ///< the result's extents divided by x's; these are rounded down
  interpolation mode = interpolation::nearest;
  bool align_corners = false;  ///< linear to trilinear: whether the corners' centers meet
  bool recompute_scale_factor =
      false;               ///< whether coordinates follow from the extents, not from scale_factor
  bool antialias = false;  ///< bilinear, bicubic: whether a smaller image is smoothed
  friend constexpr bool operator==(const resize&, const resize&) = default;
};

}  // namespace tapeless
