// SPDX-License-Identifier: BSL-1.0
// conv: the options of convolutions.
#pragma once

#include <tapeless/ops/spatial/spatial_extents.hpp>

namespace tapeless {

/// Options of convolutions, with PyTorch's defaults.
struct conv {
  spatial_extents kernel{};            ///< of layers that own their weight; otherwise the weight says it
  spatial_extents stride = 1;          ///< from one window to the next
  spatial_extents padding = 0;         ///< zeros on both sides
  spatial_extents dilation = 1;        ///< from one element of a window to the next
  int groups = 1;                      ///< the channels fall into so many groups that do not meet
  bool bias = true;                    ///< of layers that own their weight
  spatial_extents output_padding = 0;  ///< of transposed convolutions: more of the result, behind it
  friend constexpr bool operator==(const conv&, const conv&) = default;
};

}  // namespace tapeless
