// SPDX-License-Identifier: BSL-1.0
// hamming_window<T, n>(): a window for stft.
#pragma once

#include <tapeless/ops/spectral/cosine_window.hpp>

namespace tapeless {

template <element Type, std::int64_t N>
struct hamming_window_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) { return detail::cosine_window(g, Type, N, 0.54, 0.46, 0); }
};

/// A window like hann_window that does not go down to 0.
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

}  // namespace tapeless
