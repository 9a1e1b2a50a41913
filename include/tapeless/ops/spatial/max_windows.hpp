// SPDX-License-Identifier: BSL-1.0
// The largest element of each window, and what its derivatives are made of: sums over the largest elements of
// windows, and the transpose.
#pragma once

#include <limits>

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/spatial/pool_node.hpp>
#include <tapeless/ops/spatial/windows.hpp>

namespace tapeless {

/// y[p] = the largest x[i] of window p: [N, C, L...] -> [N, C, positions...]
constexpr value largest_in_windows(value x, const spatial_windows& w);

namespace detail {

// Of x and y = largest_in_windows(x), with y's attributes:
//   s[p] = how many i in window p have x[i] = y[p]
constexpr value count_largest(value x, value y, const pooling_windows& a);
//   s[p] = the sum of v[i] over these
constexpr value add_largest(value x, value y, value v, const pooling_windows& a);
//   v[i] = the sum of s[p] over the windows p for which i is one of these
constexpr value share_among_largest(value x, value y, value s, const pooling_windows& a);

// x within padding that is never the largest.
constexpr value pad_below(value x, const spatial_windows& w) {
  const value zeros_around = pad_spatial(x, w);
  value inside;
  for (int s = 0; s < w.axes; ++s) {
    if (w.padding[s] == 0) continue;
    const value place = make_iota(*x.builder, shape_of(zeros_around), 2 + s, element::i64);
    const value end = make_size(*x.builder, x.builder->extents.add(x.get().shape[2 + s], w.padding[s]));
    const value here = place >= static_cast<double>(w.padding[s]) && place < end;
    inside = inside.exists() ? inside && here : here;
  }
  return inside.exists() ? where(inside, zeros_around, -std::numeric_limits<double>::infinity())
                         : zeros_around;
}

/// largest_in_windows, of a view of all windows.
constexpr value max_over_windows(value x, const spatial_windows& w) {
  return max_reduction_operation::build(pool_windows(pad_below(x, w), w), window_axes(w.axes), false);
}

// Whether each window's element is its largest one.
constexpr value is_largest(value x, value y, const spatial_windows& w) {
  return pool_windows(pad_below(x, w), w) == beside_windows(y, w.axes);
}

}  // namespace detail

struct largest_in_windows_operation {
  // Equal largest elements share the gradient evenly.
  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    const pooling_windows a = pooling_of(y.get());
    return detail::share_among_largest(x[0], y, g / detail::count_largest(x[0], y, a), a);
  }
  static constexpr value expansion_of(const value* x, const node& y) {
    return detail::max_over_windows(x[0], pooling_of(y).windows);
  }
  static constexpr operation op{"max_pool", pooling_kind::largest, jacobian::general, &cotangent_of,
                                &expansion_of};
};

struct add_largest_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value s) {
    if (k < 2) return {};
    return detail::share_among_largest(x[0], x[1], g, pooling_of(s.get()));
  }
  static constexpr value expansion_of(const value* x, const node& s) {
    const spatial_windows w = pooling_of(s).windows;
    const value here = detail::is_largest(x[0], x[1], w);
    const value seen = s.operand_count == 2
                           ? cast(here, s.type)
                           : where(here, detail::pool_windows(detail::pad_spatial(x[2], w), w), 0.0);
    return sum_operation::build(seen, detail::window_axes(w.axes), false);
  }
  static constexpr operation op{"max_pool's ties", pooling_kind::tied, jacobian::general, &cotangent_of,
                                &expansion_of};
};

struct share_among_largest_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value v) {
    if (k < 2) return {};
    return detail::add_largest(x[0], x[1], g, pooling_of(v.get()));
  }
  static constexpr value expansion_of(const value* x, const node& v) {
    const spatial_windows w = pooling_of(v).windows;
    const value shares = where(detail::is_largest(x[0], x[1], w), detail::beside_windows(x[2], w.axes), 0.0);
    return detail::add_padded_windows(shares, w, detail::before_last[w.axes - 1], v.shape + 2);
  }
  static constexpr operation op{"max_pool's shares", pooling_kind::shared, jacobian::general, &cotangent_of,
                                &expansion_of};
};

namespace detail {

constexpr value count_largest(value x, value y, const pooling_windows& a) {
  return pool_node(add_largest_operation::op, {x, y}, shape_of(y), a);
}
constexpr value add_largest(value x, value y, value v, const pooling_windows& a) {
  return pool_node(add_largest_operation::op, {x, y, v}, shape_of(y), a);
}
constexpr value share_among_largest(value x, value y, value s, const pooling_windows& a) {
  return pool_node(share_among_largest_operation::op, {x, y, s}, shape_of(x), a);
}

}  // namespace detail

constexpr value largest_in_windows(value x, const spatial_windows& w) {
  return detail::pool_node(largest_in_windows_operation::op, {x}, detail::pooled_shape(x, w), {w});
}

}  // namespace tapeless
