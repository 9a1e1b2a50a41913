// SPDX-License-Identifier: BSL-1.0
// max_pool2d<pool{.kernel = 2}>(x), max_pool1d: the largest element of each window.
#pragma once

#include <tapeless/ops/spatial/max_windows.hpp>
#include <tapeless/ops/spatial/pool_windows.hpp>

namespace tapeless {

struct max_pool_operation {
  static constexpr bool is_mean = false;
  static constexpr std::string_view names[] = {"max_pool1d", "max_pool2d", "max_pool3d"};
  static constexpr value build(value x, const spatial_windows& given, const pool& options) {
    x = padded_behind(x, detail::behind(given, options));
    const spatial_windows w = detail::windows_in(x, given);
    return detail::has_kernel(x, w) ? largest_in_windows(x, w) : detail::max_over_windows(x, w);
  }

 private:
  // What is behind x is never the largest.
  static constexpr value padded_behind(value x, const detail::elements_behind& behind) {
    const value padded = detail::pad_behind(x, behind);
    value inside;
    for (int s = 0; s < max_spatial; ++s) {
      if (behind.along[s] == 0) continue;
      const value here = make_iota(*x.builder, shape_of(padded), 2 + s, element::i64) <
                         make_size(*x.builder, x.get().shape[2 + s]);
      inside = inside.exists() ? inside && here : here;
    }
    return inside.exists() ? where(inside, padded, -std::numeric_limits<double>::infinity()) : padded;
  }
};

/// The largest element of each window: x [N, C, H, W] -> [N, C, OH, OW] with OH = (H + 2*padding - kernel) /
/// stride + 1, rounded down: what fills no window is left out; with pool::ceil_mode rounded up, unless that
/// window would begin behind x and its padding. With a dilation, dilation*(kernel - 1) + 1 stands for the
/// kernel. Padding counts as -infinity. Equal largest elements of a window share its gradient evenly; with a
/// dilation, ceil_mode or three spatial axes, elements of -infinity alone share it with their padding. The
/// batch may be left out. An error where the kernel is larger than x with its padding.
/// @formula y = the largest element of each window
/// @shapes floating [N, C, H, W] -> [N, C, (H + 2 padding - kernel) / stride + 1, ..]
/// @errors pool_kernel pool_rank pool_kernel_as_number
/// @torch torch.nn.functional.max_pool2d
/// @jax flax.linen.max_pool
/// @given x = [[[[1, 2, 3, 4], [5, 6, 7, 8]]]]
/// @gives tl::max_pool2d<tl::pool{.kernel = 2}>(x) = [[[[6, 8]]]]
/// @gives tl::max_pool2d<tl::pool{.kernel = {1, 3}, .stride = 2, .ceil_mode = true}>(x) = [[[[3, 4]]]]
template <pool Options>
TAPELESS_FACTORY auto max_pool2d(operand auto x) {
  return make<pool_statement<max_pool_operation, 2, Options>>(x);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto max_pool2d(const X&... x) {
  return detail::refuse_call<sentence{"max_pool2d"}, detail::options_are_a_pool, detail::pool_of_x>(x...);
}

/// max_pool2d along one axis, [N, C, L] -> [N, C, OL]: of options with two numbers, the horizontal one is
/// read.
/// @formula y = the largest element of each window
/// @shapes floating [N, C, L] -> [N, C, (L + 2 padding - kernel) / stride + 1]
/// @errors pool_kernel pool_rank pool_kernel_as_number
/// @torch torch.nn.functional.max_pool1d
/// @jax flax.linen.max_pool
/// @given x = [[[1, 2, 3, 6]]]
/// @gives tl::max_pool1d<tl::pool{.kernel = 2}>(x) = [[[2, 6]]]
template <pool Options>
TAPELESS_FACTORY auto max_pool1d(operand auto x) {
  return make<pool_statement<max_pool_operation, 1, Options>>(x);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto max_pool1d(const X&... x) {
  return detail::refuse_call<sentence{"max_pool1d"}, detail::options_are_a_pool, detail::pool_of_x>(x...);
}

}  // namespace tapeless
