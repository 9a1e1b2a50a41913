// SPDX-License-Identifier: BSL-1.0
// max_pool2d<pool{.kernel = 2}>(x), max_pool1d: the largest element of each window.
#pragma once

#include <tapeless/ops/spatial/max_windows.hpp>
#include <tapeless/ops/spatial/pool_windows.hpp>

namespace tapeless {

struct max_pool_operation {
  static constexpr std::string_view names[] = {"max_pool1d", "max_pool2d"};
  static constexpr value build(value x, const spatial_windows& w, const pool&) {
    return detail::are_tiles(x, w) ? detail::max_over_windows(x, w) : largest_in_windows(x, w);
  }
};

/// The largest element of each window: x [N, C, H, W] -> [N, C, OH, OW] with OH = (H + 2*padding - kernel) /
/// stride + 1, rounded down: what fills no window is left out. Padding counts as -infinity. Equal largest
/// elements of a window share its gradient evenly. An error where the kernel is larger than x with its
/// padding.
template <pool Options>
constexpr value max_pool2d(is_value auto x) {
  return make<pool_statement<max_pool_operation, 2, Options>>(x);
}
template <pool Options>
TAPELESS_FACTORY auto max_pool2d(expression_operand auto x) {
  return make<pool_statement<max_pool_operation, 2, Options>>(x);
}

/// max_pool2d along one axis, [N, C, L] -> [N, C, OL]: of options with two numbers, the horizontal one is
/// read.
template <pool Options>
constexpr value max_pool1d(is_value auto x) {
  return make<pool_statement<max_pool_operation, 1, Options>>(x);
}
template <pool Options>
TAPELESS_FACTORY auto max_pool1d(expression_operand auto x) {
  return make<pool_statement<max_pool_operation, 1, Options>>(x);
}

}  // namespace tapeless
