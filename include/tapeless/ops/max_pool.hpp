// SPDX-License-Identifier: BSL-1.0
// max_pool2d<pool{.kernel = 2}>(x), max_pool1d: the largest element of each window.
#pragma once

#include <limits>

#include <tapeless/ops/pooling.hpp>

namespace tapeless {

struct max_pool_rule {
  static constexpr std::string_view names[] = {"max_pool1d", "max_pool2d"};
  static constexpr value build(value x, const detail::spatial_windows& w, const pool&) {
    return max_reduction_rule::build(detail::pool_windows(padded(x, w), w), detail::window_axes(w.axes),
                                     false);
  }

 private:
  // Padding is smaller than all numbers, so that it is never the largest element.
  static constexpr value padded(value x, const detail::spatial_windows& w) {
    const value zeros_around = detail::pad_spatial(x, w);
    value inside;
    for (int s = 0; s < w.axes; ++s) {
      if (w.padding[s] == 0) continue;
      const value place = make_iota(*x.owner, shape_of(zeros_around), 2 + s, element::i64);
      const value end = make_size(*x.owner, x.owner->extents.add(x.get().shape[2 + s], w.padding[s]));
      const value here = place >= static_cast<double>(w.padding[s]) && place < end;
      inside = inside.exists() ? inside && here : here;
    }
    return inside.exists() ? where(inside, zeros_around, -std::numeric_limits<double>::infinity())
                           : zeros_around;
  }
};

/// The largest element of each window: x [N, C, H, W] -> [N, C, OH, OW] with OH = (H + 2*padding - kernel) /
/// stride + 1, rounded down: what fills no window is left out. Padding counts as -infinity. Equal largest
/// elements of a window share its gradient evenly. An error where the kernel is larger than x with its
/// padding.
template <pool Options>
constexpr value max_pool2d(is_value auto x) {
  return make<pool_cell<max_pool_rule, 2, Options>>(x);
}
template <pool Options>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto max_pool2d(expression_operand auto x) {
  return make<pool_cell<max_pool_rule, 2, Options>>(x);
}

/// max_pool2d along one axis, [N, C, L] -> [N, C, OL]: of options with two numbers, the horizontal one is
/// read.
template <pool Options>
constexpr value max_pool1d(is_value auto x) {
  return make<pool_cell<max_pool_rule, 1, Options>>(x);
}
template <pool Options>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto max_pool1d(expression_operand auto x) {
  return make<pool_cell<max_pool_rule, 1, Options>>(x);
}

}  // namespace tapeless
