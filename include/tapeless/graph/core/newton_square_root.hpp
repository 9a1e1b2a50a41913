// SPDX-License-Identifier: BSL-1.0
// The square root without a library: of constants, and in schedules.
#pragma once

namespace tapeless::detail {

/// By Newton's iteration, from above, which halves what is too large. Precondition: 0 <= x <= 2^100.
constexpr double square_root(double x) {
  double root = x < 1 ? 1 : x;
  for (int i = 0; i < 64; ++i) root = 0.5 * (root + x / root);
  return root;
}

}  // namespace tapeless::detail
