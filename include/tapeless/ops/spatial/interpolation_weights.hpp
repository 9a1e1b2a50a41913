// SPDX-License-Identifier: BSL-1.0
// The matrices that interpolate along one axis.
#pragma once

#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/floor.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/min.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless::detail {

/// An axis of `extent` elements that becomes one of `scaled`; `scale` elements of it are one of the result.
struct interpolated_axis {
  std::int64_t scaled = 0, extent = 0;
  value scale;
  bool align_corners = false;
};

/// [scaled, 1]: where the result's elements are.
constexpr value coordinates(graph& g, const interpolated_axis& a, element type) {
  const value i = make_iota(g, {2, {a.scaled, 1}}, 0, type);
  return a.align_corners ? i * a.scale : (i + 0.5) * a.scale - 0.5;
}
/// [1, extent]: where x's are.
constexpr value places(graph& g, const interpolated_axis& a, element type) {
  return make_iota(g, {2, {1, a.extent}}, 1, type);
}

/// [scaled, extent]: row i holds the shares of x's elements in element i of the result.
constexpr value linear_weights(graph& g, const interpolated_axis& a, element type) {
  const value inside = min(max(coordinates(g, a, type), 0.0), make_size(g, a.extent) - 1.0);
  return max(1.0 - abs(inside - places(g, a, type)), 0.0);
}

/// Keys's kernel at distances up to 1, and from there to 2 (Keys, 1981).
constexpr value cubic_near(value d, double a) { return ((a + 2) * d - (a + 3)) * d * d + 1.0; }
constexpr value cubic_far(value d, double a) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; }

/// Weights of the four elements around a coordinate; those beyond x's ends go to its last ones.
constexpr value cubic_weights(graph& g, const interpolated_axis& a, element type) {
  constexpr double free = -0.75;
  const value at = coordinates(g, a, type), before = floor(at), t = at - before, j = places(g, a, type);
  const value last = make_size(g, a.extent) - 1.0;
  const value weights[] = {cubic_far(t + 1.0, free), cubic_near(t, free), cubic_near(1.0 - t, free),
                           cubic_far(2.0 - t, free)};
  value sum;
  for (int k = 0; k < 4; ++k) {
    const value place = min(max(before + static_cast<double>(k - 1), 0.0), last);
    const value share = where(place == j, weights[k], 0.0);
    sum = sum.exists() ? sum + share : share;
  }
  return sum;
}

/// Weights of all elements under the kernel, which is as wide as the result's elements where these are
/// larger.
constexpr value smoothing_weights(graph& g, const interpolated_axis& a, element type, bool linear) {
  constexpr double free = -0.5;
  const value center = (make_iota(g, {2, {a.scaled, 1}}, 0, type) + 0.5) * a.scale;
  const value d = abs(places(g, a, type) + 0.5 - center) / max(a.scale, 1.0);
  const value weights = linear ? max(1.0 - d, 0.0)
                               : where(d < 1.0, cubic_near(d, free), where(d < 2.0, cubic_far(d, free), 0.0));
  return weights / sum_operation::build(weights, 1u << 1, true);
}

}  // namespace tapeless::detail
