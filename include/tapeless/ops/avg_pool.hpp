// SPDX-License-Identifier: BSL-1.0
// avg_pool2d<pool{.kernel = 2}>(x), avg_pool1d: the mean of each window.
#pragma once

#include <tapeless/ops/pooling.hpp>

namespace tapeless {

struct avg_pool_rule {
  static constexpr std::string_view names[] = {"avg_pool1d", "avg_pool2d"};
  static constexpr value build(value x, const detail::spatial_windows& w, const pool& options) {
    const value seen = detail::pool_windows(detail::pad_spatial(x, w), w);
    value y = sum_rule::build(seen, detail::window_axes(w.axes), false);
    double whole = 1;
    for (int s = 0; s < w.axes; ++s) {
      if (options.count_include_pad || w.padding[s] == 0) {
        whole *= static_cast<double>(w.along[s].size);
      } else {
        y = y / inside(x, y, w, s);
      }
    }
    return y * (1 / whole);
  }

 private:
  // How many elements of each window along spatial axis s are x's own.
  static constexpr value inside(value x, value y, const detail::spatial_windows& w, int s) {
    shape_list shape{w.axes, {}};
    for (int i = 0; i < w.axes; ++i) shape.extents[i] = i == s ? y.get().shape[2 + s] : 1;
    const double padding = static_cast<double>(w.padding[s]);
    const value first =
        make_iota(*x.owner, shape, s, x.type()) * static_cast<double>(w.along[s].stride) - padding;
    const value extent = make_size(*x.owner, x.get().shape[2 + s]);
    return min(first + static_cast<double>(w.along[s].size), extent) - max(first, 0.0);
  }
};

/// The mean of each window: x [N, C, H, W] -> [N, C, OH, OW] with OH = (H + 2*padding - kernel) / stride + 1,
/// rounded down: what fills no window is left out. Padding is zeros, which the mean counts unless
/// pool::count_include_pad is false. An error where the kernel is larger than x with its padding.
template <pool Options>
constexpr value avg_pool2d(is_value auto x) {
  return make<pool_cell<avg_pool_rule, 2, Options>>(x);
}
template <pool Options>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto avg_pool2d(expression_operand auto x) {
  return make<pool_cell<avg_pool_rule, 2, Options>>(x);
}

/// avg_pool2d along one axis, [N, C, L] -> [N, C, OL]: of options with two numbers, the horizontal one is
/// read.
template <pool Options>
constexpr value avg_pool1d(is_value auto x) {
  return make<pool_cell<avg_pool_rule, 1, Options>>(x);
}
template <pool Options>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto avg_pool1d(expression_operand auto x) {
  return make<pool_cell<avg_pool_rule, 1, Options>>(x);
}

}  // namespace tapeless
