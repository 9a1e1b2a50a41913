// SPDX-License-Identifier: BSL-1.0
// avg_pool2d<pool{.kernel = 2}>(x), avg_pool1d: the mean of each window.
#pragma once

#include <tapeless/ops/spatial/mean_windows.hpp>
#include <tapeless/ops/spatial/pool_windows.hpp>

namespace tapeless {

namespace detail {

constexpr double elements_of(const spatial_windows& w) {
  double elements = 1;
  for (int s = 0; s < w.axes; ++s) elements *= static_cast<double>(w.along[s].size);
  return elements;
}

/// The mean of each window; with a divisor of their own, of the zeros around x as well.
constexpr value average_pool(value x, const spatial_windows& given, const pool& options) {
  const value padded = pad_behind(x, behind(given, options));
  const spatial_windows w = windows_in(padded, given);
  const bool plain = !options.ceil_mode || options.divisor_override != 0;
  const pooling_windows a{w, options.count_include_pad || options.ceil_mode || options.divisor_override != 0};
  const value mean = has_kernel(padded, w) ? mean_of_windows(padded, a) : mean_over_windows(padded, a);
  if (plain) return mean;
  return divide_by_elements(mean * elements_of(w), shape_of(x), {w, options.count_include_pad}, true);
}

constexpr value with_divisor(value mean, const spatial_windows& w, const pool& options) {
  return options.divisor_override == 0 ? mean : mean * (elements_of(w) / options.divisor_override);
}

}  // namespace detail

struct avg_pool_operation {
  static constexpr bool is_mean = true;
  static constexpr std::string_view names[] = {"avg_pool1d", "avg_pool2d"};
  static constexpr value build(value x, const spatial_windows& w, const pool& options) {
    return detail::with_divisor(detail::average_pool(x, w, options), w, options);
  }
};

/// The mean of each window: x [N, C, H, W] -> [N, C, OH, OW] with OH = (H + 2*padding - kernel) / stride + 1,
/// rounded down: what fills no window is left out; with pool::ceil_mode rounded up, as in max_pool2d. Padding
/// is zeros, which the mean counts unless pool::count_include_pad is false; what is further behind is not
/// counted. pool::divisor_override takes the place of the number of elements. The batch may be left out. An
/// error where the kernel is larger than x with its padding.
/// @formula y = the mean of each window
/// @shapes floating [N, C, H, W] -> [N, C, (H + 2 padding - kernel) / stride + 1, ..]
/// @errors pool_kernel pool_rank pool_kernel_as_number
/// @torch torch.nn.functional.avg_pool2d
/// @jax flax.linen.avg_pool
/// @given x = [[[[1, 2, 3, 4], [5, 6, 7, 8]]]]
/// @gives tl::avg_pool2d<tl::pool{.kernel = 2}>(x) = [[[[3.5, 5.5]]]]
/// @gives tl::avg_pool2d<tl::pool{.kernel = 2, .divisor_override = 2}>(x) = [[[[7, 11]]]]
template <pool Options>
TAPELESS_FACTORY auto avg_pool2d(operand auto x) {
  return make<pool_statement<avg_pool_operation, 2, Options>>(x);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto avg_pool2d(const X&... x) {
  return detail::refuse_call<sentence{"avg_pool2d"}, detail::options_are_a_pool, detail::pool_of_x>(x...);
}

/// avg_pool2d along one axis, [N, C, L] -> [N, C, OL]: of options with two numbers, the horizontal one is
/// read.
/// @formula y = the mean of each window
/// @shapes floating [N, C, L] -> [N, C, (L + 2 padding - kernel) / stride + 1]
/// @errors pool_kernel pool_rank pool_kernel_as_number
/// @torch torch.nn.functional.avg_pool1d
/// @jax flax.linen.avg_pool
/// @given x = [[[1, 2, 3, 6]]]
/// @gives tl::avg_pool1d<tl::pool{.kernel = 2}>(x) = [[[1.5, 4.5]]]
template <pool Options>
TAPELESS_FACTORY auto avg_pool1d(operand auto x) {
  return make<pool_statement<avg_pool_operation, 1, Options>>(x);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto avg_pool1d(const X&... x) {
  return detail::refuse_call<sentence{"avg_pool1d"}, detail::options_are_a_pool, detail::pool_of_x>(x...);
}

}  // namespace tapeless
