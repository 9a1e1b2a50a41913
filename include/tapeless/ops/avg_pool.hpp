// SPDX-License-Identifier: BSL-1.0
// avg_pool2d<pool{.kernel = 2}>(x), avg_pool1d: the mean of each window.
#pragma once

#include <tapeless/ops/pooling.hpp>

namespace tapeless {

template <int Axes, pool Options>
struct avg_pool_cell {
  static_assert(detail::are_possible(Options, Axes),
                "tapeless: a pool takes a kernel of 1 or more, and a padding of at most half of it");
  static constexpr std::string_view name = Axes == 1 ? "avg_pool1d" : "avg_pool2d";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (!detail::require_image(name, x, Axes)) return x;
    const detail::spatial_windows w = detail::windows_of(Options, Axes);
    if (!detail::require_room(name, x, w)) return x;
    const value seen = detail::pool_windows(detail::pad_spatial(x, w), w);
    value y = sum_rule::build(seen, detail::window_axes(Axes), false);
    double whole = 1;
    for (int s = 0; s < Axes; ++s) {
      if (Options.count_include_pad || w.padding[s] == 0) {
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
    shape_list shape{Axes, {}};
    for (int i = 0; i < Axes; ++i) shape.extents[i] = i == s ? y.get().shape[2 + s] : 1;
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
  return make<avg_pool_cell<2, Options>>(x);
}
template <pool Options>
constexpr auto avg_pool2d(expression_operand auto x) {
  return make<avg_pool_cell<2, Options>>(x);
}

/// avg_pool2d along one axis, [N, C, L] -> [N, C, OL]: of options with two numbers, the horizontal one is
/// read.
template <pool Options>
constexpr value avg_pool1d(is_value auto x) {
  return make<avg_pool_cell<1, Options>>(x);
}
template <pool Options>
constexpr auto avg_pool1d(expression_operand auto x) {
  return make<avg_pool_cell<1, Options>>(x);
}

}  // namespace tapeless
