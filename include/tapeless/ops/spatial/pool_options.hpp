// SPDX-License-Identifier: BSL-1.0
// pool: the options of pooling.
#pragma once

#include <tapeless/ops/spatial/spatial_extents.hpp>

namespace tapeless {

/// Options of pooling, with PyTorch's defaults.
struct pool {
  spatial_extents kernel{};
  spatial_extents stride = 0;     ///< from one window to the next; 0: as the kernel
  spatial_extents padding = 0;    ///< on both sides, at most half of what a window spans
  spatial_extents dilation = 1;   ///< max_pool: from one element of a window to the next
  bool ceil_mode = false;         ///< whether a last window may go on behind x and its padding
  bool count_include_pad = true;  ///< avg_pool: whether a mean counts the padding's zeros
  int divisor_override = 0;       ///< avg_pool: what sums are divided by; 0: the number of elements
  double norm_type = 2;           ///< lp_pool: the norm's order
  friend constexpr bool operator==(const pool&, const pool&) = default;
};

}  // namespace tapeless
