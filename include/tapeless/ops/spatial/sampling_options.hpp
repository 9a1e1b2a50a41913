// SPDX-License-Identifier: BSL-1.0
// sampling: the options of grid_sample and affine_grid.
#pragma once

#include <tapeless/ops/spatial/resize_options.hpp>

namespace tapeless {

/// What an image has at coordinates outside.
enum class grid_padding : std::uint8_t {
  zeros,
  border,     ///< its nearest element
  reflection  ///< the image mirrored at its ends, as often as it takes
};

/// Options of grid_sample, with PyTorch's defaults; affine_grid reads align_corners.
struct sampling {
  interpolation mode = interpolation::bilinear;  ///< or nearest, or bicubic of images
  grid_padding padding_mode = grid_padding::zeros;
  bool align_corners =
      false;  ///< whether -1 and 1 are the centers of the first and last element, not their ends
  friend constexpr bool operator==(const sampling&, const sampling&) = default;
};

}  // namespace tapeless
