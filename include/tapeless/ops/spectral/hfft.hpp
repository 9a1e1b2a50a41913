// SPDX-License-Identifier: BSL-1.0
// hfft(z), ihfft(x): the transform of a signal whose transform is real, and back.
#pragma once

#include <tapeless/ops/spectral/complex_pairs.hpp>

namespace tapeless {

template <fft_options Options>
struct hfft_statement {
  static constexpr std::string_view name = "hfft";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    if (!detail::require_complex(name, z)) return z;
    return detail::transformed(name, detail::conjugate(z), fourier_kind::whole, true, Options);
  }
};
template <fft_options Options>
struct ihfft_statement {
  static constexpr std::string_view name = "ihfft";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (!detail::require_kind(name, x, element_kind::floating)) return x;
    const value y = detail::transformed(name, x, fourier_kind::half, false, Options);
    return detail::require_complex(name, y) ? detail::conjugate(y) : y;
  }
};

/// The transform of a signal of n complex numbers of which the first n / 2 + 1 are given and the others are
/// their conjugates: n real numbers, n = 2 (m - 1) by default. Options are those of fft.
/// @formula y_k = sum_j z_j e^(-2 pi i j k / n), z_(n-j) the conjugate of z_j
/// @shapes floating [.., m, 2] -> [.., n]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.hfft
/// @jax jnp.fft.hfft
/// @given z = [[2, 0], [1, -3]]
/// @gives tl::hfft(z) = [3, 1]
/// @gives tl::hfft<tl::fft_options{.n = 3}>(z) = [4, -4.196, 6.196]
template <fft_options Options = fft_options{}>
TAPELESS_FACTORY auto hfft(operand auto z) {
  return make<hfft_statement<Options>>(z);
}

/// The inverse of hfft: the first n / 2 + 1 complex numbers of the signal whose transform n real ones are.
/// @formula y_j = 1/n sum_k x_k e^(2 pi i j k / n), j <= n / 2
/// @shapes floating [.., n] -> [.., n / 2 + 1, 2]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.ihfft
/// @jax jnp.fft.ihfft
/// @given x = [3, 1]
/// @gives tl::ihfft(x) = [[2, 0], [1, 0]]
template <fft_options Options = fft_options{}>
TAPELESS_FACTORY auto ihfft(operand auto x) {
  return make<ihfft_statement<Options>>(x);
}

// Calls as in PyTorch, which are refused.
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto hfft(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"hfft"}, detail::options_are_template_argument,
                             sentence{"<tl::fft_options{.n = 1024}>(z)"}>(x, more...);
}
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto ihfft(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"ihfft"}, detail::options_are_template_argument,
                             sentence{"<tl::fft_options{.n = 1024}>(x)"}>(x, more...);
}

}  // namespace tapeless
