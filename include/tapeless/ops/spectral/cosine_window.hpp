// SPDX-License-Identifier: BSL-1.0
// Windows that are sums of cosines.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/cos.hpp>

namespace tapeless {

namespace detail {

/// a - b cos(2 pi i / n) + c cos(4 pi i / n); one element is 1.
constexpr value cosine_window(graph& g, element type, std::int64_t n, double a, double b, double c) {
  if (n == 1) return cast(make_iota(g, {1, {1}}, 0, element::f64) + 1.0, type);
  const value turn =
      make_iota(g, {1, {n}}, 0, element::f64) * (6.283185307179586476925 / static_cast<double>(n));
  const value first = b * cos(turn);
  return cast(c == 0 ? a - first : (a + c * cos(2.0 * turn)) - first, type);  // in this order 0 at i = 0
}

}  // namespace detail

}  // namespace tapeless
