// SPDX-License-Identifier: BSL-1.0
// blackman_window<T, n>(): a window for stft.
#pragma once

#include <tapeless/ops/spectral/cosine_window.hpp>

namespace tapeless {

template <element Type, std::int64_t N>
struct blackman_window_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) { return detail::cosine_window(g, Type, N, 0.42, 0.5, 0.08); }
};

/// A narrower window than hann_window.
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
