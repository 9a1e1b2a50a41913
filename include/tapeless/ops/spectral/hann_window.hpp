// SPDX-License-Identifier: BSL-1.0
// hann_window<T, n>(), hamming_window, blackman_window: windows for stft.
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

template <element Type, std::int64_t N>
struct hann_window_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) { return detail::cosine_window(g, Type, N, 0.5, 0.5, 0); }
};
template <element Type, std::int64_t N>
struct hamming_window_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) { return detail::cosine_window(g, Type, N, 0.54, 0.46, 0); }
};
template <element Type, std::int64_t N>
struct blackman_window_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) { return detail::cosine_window(g, Type, N, 0.42, 0.5, 0.08); }
};

/// A window of n elements whose copies at distances of n / 2, n / 4, .. add up to a constant: periodic, as
/// PyTorch's by default.
/// @formula y_i = (1 - cos(2 pi i / n)) / 2; without a derivative
/// @shapes -> T [n]
/// @torch torch.hann_window
/// @jax none
/// @gives tl::hann_window<float, 4>() = [0, 0.5, 1, 0.5]
template <element_type T, std::int64_t N>
  requires(N > 0)
constexpr auto hann_window() {
  return leaf<hann_window_statement<element_of<T>, N>>{};
}

/// The same that does not go down to 0.
/// @formula y_i = 0.54 - 0.46 cos(2 pi i / n); without a derivative
/// @shapes -> T [n]
/// @torch torch.hamming_window
/// @jax none
/// @gives tl::hamming_window<float, 4>() = [0.08, 0.54, 1, 0.54]
template <element_type T, std::int64_t N>
  requires(N > 0)
constexpr auto hamming_window() {
  return leaf<hamming_window_statement<element_of<T>, N>>{};
}

/// A narrower one.
/// @formula y_i = 0.42 - 0.5 cos(2 pi i / n) + 0.08 cos(4 pi i / n); without a derivative
/// @shapes -> T [n]
/// @torch torch.blackman_window
/// @jax none
/// @gives tl::blackman_window<double, 4>() = [0, 0.34, 1, 0.34]
template <element_type T, std::int64_t N>
  requires(N > 0)
constexpr auto blackman_window() {
  return leaf<blackman_window_statement<element_of<T>, N>>{};
}

}  // namespace tapeless
