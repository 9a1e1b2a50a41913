// SPDX-License-Identifier: BSL-1.0
// The square root of a number that is known while compiling.
#pragma once

namespace tapeless::detail {

/// By Newton's iteration, from above.
constexpr double square_root(double x) {
  double root = x < 1 ? 1 : x;
  for (int i = 0; i < 64; ++i) root = 0.5 * (root + x / root);
  return root;
}

}  // namespace tapeless::detail
