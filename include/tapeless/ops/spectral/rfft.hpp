// SPDX-License-Identifier: BSL-1.0
// rfft(x), irfft(z): the discrete Fourier transform of real numbers, and back.
#pragma once

#include <tapeless/ops/spectral/fourier.hpp>

namespace tapeless {

template <fft_options Options>
struct rfft_statement {
  static constexpr std::string_view name = "rfft";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    return detail::transformed(name, x, fourier_kind::half, true, Options);
  }
};
template <fft_options Options>
struct irfft_statement {
  static constexpr std::string_view name = "irfft";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    return detail::transformed(name, z, fourier_kind::whole, false, Options);
  }
};

/// The first n / 2 + 1 numbers of the transform of n real ones, as pairs along a new last axis; the others
/// are their conjugates. Options are those of fft.
/// @formula y_k = sum_j x_j e^(-2 pi i j k / n), k <= n / 2
/// @shapes floating [.., n] -> [.., n / 2 + 1, 2]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.rfft
/// @jax jnp.fft.rfft
/// @given x = [1, 2, 0, -1]
/// @gives tl::rfft(x) = [[2, 0], [1, -3], [0, 0]]
template <fft_options Options = fft_options{}>
TAPELESS_FACTORY auto rfft(operand auto x) {
  return make<rfft_statement<Options>>(x);
}

/// The inverse of rfft: n real numbers of the first n / 2 + 1 complex ones of their transform, where n is 2
/// (m
/// - 1) of m by default, so that an odd n must be named. The imaginary part of the first one is not looked
/// at, nor is that of the last one of an even n.
/// @formula y_j = 1/n sum_k z_k e^(2 pi i j k / n), z_(n-k) the conjugate of z_k
/// @shapes floating [.., m, 2] -> [.., n]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.irfft
/// @jax jnp.fft.irfft
/// @given z = [[2, 0], [1, -3]]
/// @gives tl::irfft(z) = [1.5, 0.5]
/// @gives tl::irfft<tl::fft_options{.n = 3}>(z) = [1.333, 2.065, -1.399]
template <fft_options Options = fft_options{}>
TAPELESS_FACTORY auto irfft(operand auto z) {
  return make<irfft_statement<Options>>(z);
}

// Calls as in PyTorch, which are refused.
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto rfft(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"rfft"}, detail::options_are_template_argument,
                             sentence{"<tl::fft_options{.n = 1024}>(x)"}>(x, more...);
}
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto irfft(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"irfft"}, detail::options_are_template_argument,
                             sentence{"<tl::fft_options{.n = 1024}>(z)"}>(x, more...);
}

}  // namespace tapeless
