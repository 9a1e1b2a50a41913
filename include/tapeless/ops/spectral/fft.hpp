// SPDX-License-Identifier: BSL-1.0
// fft(z), ifft(z): the discrete Fourier transform of complex numbers, and back.
#pragma once

#include <tapeless/ops/spectral/fourier.hpp>

namespace tapeless {

template <fft_options Options, bool Forward>
struct fft_statement {
  static constexpr std::string_view name = Forward ? "fft" : "ifft";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    return detail::transformed(name, z, Forward ? fourier_kind::forward : fourier_kind::backward, Forward,
                               Options);
  }
};

/// The discrete Fourier transform along an axis, the last one by default, of complex numbers: pairs (real,
/// imaginary) along a last axis of 2, as torch.view_as_real has them. Options are a template argument:
/// fft<fft_options{.n = 8, .axis = 0, .norm = fft_norm::ortho}>(z) crops the signal to 8 numbers, or pads it
/// with zeros, along the first axis, and divides by the square root of 8; fft_norm::forward divides by 8.
/// A transform of length n takes time in proportion to n times the sum of n's prime factors; on tl::cpu,
/// where one of them is large (above 50; above 100 for real numbers whose count 4 divides), to n log(n), 3 to
/// 6 times that of a power of 2 near it.
/// @formula y_k = sum_j z_j e^(-2 pi i j k / n)
/// @shapes floating [.., n, 2] -> [.., n, 2]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.fft
/// @jax jnp.fft.fft
/// @given z = [[1, 0], [2, 0], [0, 0], [0, 1]]
/// @gives tl::fft(z) = [[3, 1], [0, -2], [-1, -1], [2, 2]]
template <fft_options Options = fft_options{}>
TAPELESS_FACTORY auto fft(operand auto z) {
  return make<fft_statement<Options, true>>(z);
}

/// The inverse of fft, which has the factor 1 / n: with fft_norm::ortho its square root, with
/// fft_norm::forward none.
/// @formula y_j = 1/n sum_k z_k e^(2 pi i j k / n)
/// @shapes floating [.., n, 2] -> [.., n, 2]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.ifft
/// @jax jnp.fft.ifft
/// @given z = [[3, 1], [0, -2], [-1, -1], [2, 2]]
/// @gives tl::ifft(z) = [[1, 0], [2, 0], [0, 0], [0, 1]]
template <fft_options Options = fft_options{}>
TAPELESS_FACTORY auto ifft(operand auto z) {
  return make<fft_statement<Options, false>>(z);
}

// Calls as in PyTorch, which are refused.
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto fft(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"fft"}, detail::options_are_template_argument,
                             sentence{"<tl::fft_options{.n = 1024}>(z)"}>(x, more...);
}
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto ifft(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"ifft"}, detail::options_are_template_argument,
                             sentence{"<tl::fft_options{.n = 1024}>(z)"}>(x, more...);
}

}  // namespace tapeless
