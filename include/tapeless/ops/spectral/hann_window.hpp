// SPDX-License-Identifier: BSL-1.0
// hann_window<T, n>(): a window for stft.
#pragma once

#include <tapeless/ops/spectral/cosine_window.hpp>

namespace tapeless {

template <element Type, std::int64_t N>
struct hann_window_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) { return detail::cosine_window(g, Type, N, 0.5, 0.5, 0); }
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

}  // namespace tapeless
