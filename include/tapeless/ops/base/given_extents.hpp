// SPDX-License-Identifier: BSL-1.0
// The extents of a constant, which are template arguments.
#pragma once

#include <tapeless/expr/make.hpp>

namespace tapeless::detail {

/// Stops the compiler where they are no shape.
template <extent... E>
constexpr bool require_extents() {
  constexpr bool fits = sizeof...(E) <= max_rank && ((E.symbol != nullptr || E.value >= 0) && ...);
  static_assert(fits,
                "tapeless: a constant has at most 8 axes, whose extents are 0 or more, or tl::dyn<...>");
  return fits;
}

}  // namespace tapeless::detail
