// SPDX-License-Identifier: BSL-1.0
// spatial_extents: a number for each spatial axis.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/text.hpp>

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

namespace detail {

/// What is said of an option that must have so much along each of its axes, and has less.
constexpr text refused_below(std::int64_t least, std::string_view op, std::string_view option,
                             const spatial_extents& given, int axes) {
  for (int s = 0; s < axes; ++s)
    if (const int got = given.along(s, axes); got < least)
      return text() << op << " takes a " << option << " of " << least << " or more, but got " << got;
  return {};
}

}  // namespace detail

}  // namespace tapeless
