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
/// @formula y = the largest element of each window
/// @shapes floating [N, C, H, W] -> [N, C, (H + 2 padding - kernel) / stride + 1, ..]
/// @errors pool_kernel pool_rank
/// @torch torch.nn.functional.max_pool2d
/// @jax flax.linen.max_pool
/// @given x = [[[[1, 2, 3, 4], [5, 6, 7, 8]]]]
/// @gives tl::max_pool2d<tl::pool{.kernel = 2}>(x) = [[[[6, 8]]]]
template <pool Options>
TAPELESS_FACTORY auto max_pool2d(operand auto x) {
  return make<pool_statement<max_pool_operation, 2, Options>>(x);
}

/// max_pool2d along one axis, [N, C, L] -> [N, C, OL]: of options with two numbers, the horizontal one is
/// read.
/// @formula y = the largest element of each window
/// @shapes floating [N, C, L] -> [N, C, (L + 2 padding - kernel) / stride + 1]
/// @errors pool_kernel pool_rank
/// @torch torch.nn.functional.max_pool1d
/// @jax flax.linen.max_pool
/// @given x = [[[1, 2, 3, 6]]]
/// @gives tl::max_pool1d<tl::pool{.kernel = 2}>(x) = [[[2, 6]]]
template <pool Options>
TAPELESS_FACTORY auto max_pool1d(operand auto x) {
  return make<pool_statement<max_pool_operation, 1, Options>>(x);
}

}  // namespace tapeless
