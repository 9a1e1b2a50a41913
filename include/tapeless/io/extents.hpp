// SPDX-License-Identifier: BSL-1.0
// Extents that come from outside: multiplied without overflow, and spelled out for messages.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/maybe.hpp>

namespace tapeless::io {

/// The product of `extents` and `factor`; nothing if an extent is negative or a product on the way does not
/// fit into 63 bits.
inline maybe<std::int64_t> checked_product(array_view<const std::int64_t> extents, std::int64_t factor = 1) {
  std::int64_t product = factor;
  for (const std::int64_t extent : extents) {
    if (extent < 0) return {};
    if (extent != 0 && product > std::numeric_limits<std::int64_t>::max() / extent) return {};
    product *= extent;
  }
  return product;
}

/// As in messages: "[2, 3]", and "[]" for a scalar.
TAPELESS_COLD inline std::string shape_text(array_view<const std::int64_t> shape) {
  std::string text;
  for (const std::int64_t extent : shape) append(text, {text.empty() ? "" : ", ", extent});
  return join({"[", text, "]"});
}

}  // namespace tapeless::io
