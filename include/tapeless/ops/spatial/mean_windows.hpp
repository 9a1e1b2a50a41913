// SPDX-License-Identifier: BSL-1.0
// The mean of each window, and its transpose.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/min.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/spatial/pool_node.hpp>
#include <tapeless/ops/spatial/windows.hpp>

namespace tapeless {

/// s[p] = the mean of v[i] over window p: [N, C, L...] -> [N, C, positions...]
constexpr value mean_of_windows(value v, const pooling_windows& a);

namespace detail {

/// The transpose: v[i] = the sum of s[p] / (elements of p) over the windows p that hold i, of v's extents.
constexpr value spread_means(value s, const shape_list& shape, const pooling_windows& a);

// s[p] / (elements of p), of windows over an image of the given shape; some may go on behind it and its
// padding, where they have no elements.
constexpr value divide_by_elements(value s, const shape_list& image, const pooling_windows& a,
                                   bool goes_on_behind = false) {
  double whole = 1;
  for (int k = 0; k < a.windows.axes; ++k) {
    const window& w = a.windows.along[k];
    const auto padding = static_cast<double>(a.windows.padding[k]);
    if (!goes_on_behind && (a.counts_padding || padding == 0)) {
      whole *= static_cast<double>(w.size);
      continue;
    }
    shape_list along{a.windows.axes, {}};
    for (int i = 0; i < along.rank; ++i) along.extents[i] = i == k ? s.get().shape[2 + k] : 1;
    const value first =
        make_iota(*s.builder, along, k, computed_in(s.type())) * static_cast<double>(w.stride) - padding;
    const value all = make_size(*s.builder, image.extents[2 + k]) + (a.counts_padding ? padding : 0);
    const value end = min(first + static_cast<double>(w.size), all);
    const value elements = end - (a.counts_padding ? first : max(first, 0.0));
    // a window of padding alone has a sum of 0
    s = s / cast(goes_on_behind ? max(elements, 1.0) : elements, s.type());
  }
  return s * (1 / whole);
}

/// mean_of_windows, of a view of all windows.
constexpr value mean_over_windows(value v, const pooling_windows& a) {
  return at_least_float(v, [&](value of) {
    const value seen = pool_windows(pad_spatial(of, a.windows), a.windows);
    return divide_by_elements(sum_operation::build(seen, window_axes(a.windows.axes), false), shape_of(v), a);
  });
}

}  // namespace detail

struct mean_of_windows_operation {
  static constexpr value cotangent_of(int, value g, const value* v, value s) {
    return detail::spread_means(g, shape_of(v[0]), pooling_of(s.get()));
  }
  static constexpr value expansion_of(const value* v, const node& s) {
    return detail::mean_over_windows(v[0], pooling_of(s));
  }
  static constexpr operation op{"avg_pool", pooling_kind::mean, jacobian::linear, &cotangent_of,
                                &expansion_of};
};

struct spread_means_operation {
  static constexpr value cotangent_of(int, value g, const value*, value v) {
    return mean_of_windows(g, pooling_of(v.get()));
  }
  static constexpr value expansion_of(const value* s, const node& v) {
    const pooling_windows a = pooling_of(v);
    const int* const place = detail::before_last[a.windows.axes - 1];
    shape_list image{v.rank, {}};
    for (int i = 0; i < v.rank; ++i) image.extents[i] = v.shape[i];
    const value shares = detail::beside_windows(detail::divide_by_elements(s[0], image, a), a.windows.axes);
    shape_list all = shape_of(shares);
    for (int i = 0; i < a.windows.axes; ++i) all.extents[place[i]] = a.windows.along[i].size;
    return detail::add_padded_windows(expand(shares, all), a.windows, place, v.shape + 2);
  }
  static constexpr operation op{"avg_pool's transpose", pooling_kind::spread, jacobian::linear, &cotangent_of,
                                &expansion_of};
};

namespace detail {

constexpr value spread_means(value s, const shape_list& shape, const pooling_windows& a) {
  return pool_node(spread_means_operation::op, {s}, shape, a);
}

}  // namespace detail

constexpr value mean_of_windows(value v, const pooling_windows& a) {
  return detail::pool_node(mean_of_windows_operation::op, {v}, detail::pooled_shape(v, a.windows), a);
}

}  // namespace tapeless
