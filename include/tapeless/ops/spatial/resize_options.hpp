// SPDX-License-Identifier: BSL-1.0
// resize: the options of interpolate.
#pragma once

#include <tapeless/ops/spatial/spatial_extents.hpp>

namespace tapeless {

/// A factor for each spatial axis, the horizontal one last; a single one stands for all of them. It has three
/// members for the reason that spatial_extents has.
struct scale_factors {
  static constexpr double none = -1;  ///< the depth of two different factors

  double depth = 0, vertical = 0, horizontal = 0;

  constexpr scale_factors() = default;
  constexpr scale_factors(double all) : depth(all), vertical(all), horizontal(all) {}
  constexpr scale_factors(double first, double second)
      : depth(first == second ? first : none), vertical(first), horizontal(second) {}
  constexpr scale_factors(double first, double second, double third)
      : depth(first), vertical(second), horizontal(third) {}
  friend constexpr bool operator==(const scale_factors&, const scale_factors&) = default;

  /// The factor for one of `axes` spatial axes.
  constexpr double along(int axis, int axes) const {
    return axis == axes - 1 ? horizontal : axis == axes - 2 || depth == none ? vertical : depth;
  }
  /// Whether there is a factor for each of so many axes, and none too many.
  constexpr bool fits(int axes) const {
    const bool is_one = depth == vertical && depth == horizontal;
    return is_one || (axes == 3) == (depth != none);
  }
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

/// Options of interpolate, with PyTorch's defaults: either a size or scale factors. The doubles stand first:
/// where they would follow a gap, clang 19 reads them from a wrong place while a program runs.
struct resize {
  scale_factors scale_factor = 0;  ///< the result's extents divided by x's; these are rounded down
  spatial_extents size = 0;        ///< of the result
  interpolation mode = interpolation::nearest;
  bool align_corners = false;  ///< linear to trilinear: whether the corners' centers meet
  bool recompute_scale_factor =
      false;               ///< whether coordinates follow from the extents, not from scale_factor
  bool antialias = false;  ///< bilinear, bicubic: whether a smaller image is smoothed
  friend constexpr bool operator==(const resize&, const resize&) = default;
};

}  // namespace tapeless
