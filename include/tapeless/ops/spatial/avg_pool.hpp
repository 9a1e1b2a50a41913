// SPDX-License-Identifier: BSL-1.0
// avg_pool2d<pool{.kernel = 2}>(x), avg_pool1d: the mean of each window.
#pragma once

#include <tapeless/ops/spatial/mean_windows.hpp>
#include <tapeless/ops/spatial/pool_windows.hpp>

namespace tapeless {

struct avg_pool_operation {
  static constexpr std::string_view names[] = {"avg_pool1d", "avg_pool2d"};
  static constexpr value build(value x, const spatial_windows& w, const pool& options) {
    const pooling_windows a{w, options.count_include_pad};
    return detail::are_tiles(x, w) ? detail::mean_over_windows(x, a) : mean_of_windows(x, a);
  }
};

/// The mean of each window: x [N, C, H, W] -> [N, C, OH, OW] with OH = (H + 2*padding - kernel) / stride + 1,
/// rounded down: what fills no window is left out. Padding is zeros, which the mean counts unless
/// pool::count_include_pad is false. An error where the kernel is larger than x with its padding.
/// @formula y = the mean of each window
/// @shapes floating [N, C, H, W] -> [N, C, (H + 2 padding - kernel) / stride + 1, ..]
/// @errors pool_kernel pool_rank
/// @torch torch.nn.functional.avg_pool2d
/// @jax flax.linen.avg_pool
/// @given x = [[[[1, 2, 3, 4], [5, 6, 7, 8]]]]
/// @gives tl::avg_pool2d<tl::pool{.kernel = 2}>(x) = [[[[3.5, 5.5]]]]
template <pool Options>
TAPELESS_FACTORY auto avg_pool2d(operand auto x) {
  return make<pool_statement<avg_pool_operation, 2, Options>>(x);
}

/// avg_pool2d along one axis, [N, C, L] -> [N, C, OL]: of options with two numbers, the horizontal one is
/// read.
/// @formula y = the mean of each window
/// @shapes floating [N, C, L] -> [N, C, (L + 2 padding - kernel) / stride + 1]
/// @errors pool_kernel pool_rank
/// @torch torch.nn.functional.avg_pool1d
/// @jax flax.linen.avg_pool
/// @given x = [[[1, 2, 3, 6]]]
/// @gives tl::avg_pool1d<tl::pool{.kernel = 2}>(x) = [[[1.5, 4.5]]]
template <pool Options>
TAPELESS_FACTORY auto avg_pool1d(operand auto x) {
  return make<pool_statement<avg_pool_operation, 1, Options>>(x);
}

}  // namespace tapeless
