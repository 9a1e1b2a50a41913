// SPDX-License-Identifier: BSL-1.0
// pool: the options of pooling.
#pragma once

#include <tapeless/ops/spatial/extent_2d.hpp>

namespace tapeless {

/// Options of pooling, with PyTorch's defaults.
struct pool {
  extent_2d kernel{};
  extent_2d stride = 0;           ///< from one window to the next; 0: as the kernel
  extent_2d padding = 0;          ///< on both sides, at most half of the kernel
  bool count_include_pad = true;  ///< avg_pool: whether a mean counts the padding's zeros
  friend constexpr bool operator==(const pool&, const pool&) = default;
};

}  // namespace tapeless
