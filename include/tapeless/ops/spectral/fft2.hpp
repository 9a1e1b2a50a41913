// SPDX-License-Identifier: BSL-1.0
// fft2(z), ifft2(z), rfft2(x), irfft2(z): Fourier transforms along two axes.
#pragma once

#include <tapeless/ops/spectral/fourier.hpp>

namespace tapeless {

/// Options of Fourier transforms along two axes. Axes count without that of the pairs which complex numbers
/// are.
struct fft2_options {
  extent s[2] = {0, 0};    ///< fft_options::n of each axis
  int axes[2] = {-2, -1};  ///< rfft2 and irfft2 halve the second one
  fft_norm norm = fft_norm::backward;

  constexpr fft_options along(int k) const { return {s[k], axes[k], norm}; }
};

namespace detail {

/// An error where the two axes are one.
constexpr bool require_two_axes(std::string_view op, value x, int rank, const fft2_options& o) {
  const int first = normal_axis(o.axes[0], rank), second = normal_axis(o.axes[1], rank);
  if (first < 0 || first != second) return true;
  x.fail(shape_sentence(op, x) << ": its axes " << o.axes[0] << " and " << o.axes[1] << " are the same one");
  return false;
}

}  // namespace detail

template <fft2_options Options, bool Forward>
struct fft2_statement {
  static constexpr std::string_view name = Forward ? "fft2" : "ifft2";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    constexpr fourier_kind kind = Forward ? fourier_kind::forward : fourier_kind::backward;
    if (!detail::require_two_axes(name, z, z.rank() - 1, Options)) return z;
    const value y = detail::transformed(name, z, kind, Forward, Options.along(1));
    return detail::transformed(name, y, kind, Forward, Options.along(0));
  }
};
template <fft2_options Options>
struct rfft2_statement {
  static constexpr std::string_view name = "rfft2";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (!detail::require_two_axes(name, x, x.rank(), Options)) return x;
    const value y = detail::transformed(name, x, fourier_kind::half, true, Options.along(1));
    return detail::transformed(name, y, fourier_kind::forward, true, Options.along(0));
  }
};
template <fft2_options Options>
struct irfft2_statement {
  static constexpr std::string_view name = "irfft2";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    if (!detail::require_two_axes(name, z, z.rank() - 1, Options)) return z;
    const value y = detail::transformed(name, z, fourier_kind::backward, false, Options.along(0));
    return detail::transformed(name, y, fourier_kind::whole, false, Options.along(1));
  }
};

/// fft along two axes, the last two by default: fft2<fft2_options{.s = {8, 8}, .axes = {0, 1}}>(z).
/// @formula y_kl = sum_ij z_ij e^(-2 pi i (i k / m + j l / n))
/// @shapes floating [.., m, n, 2] -> [.., m, n, 2]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.fft2
/// @jax jnp.fft.fft2
/// @given z = [[[1, 0], [2, 0]], [[0, 1], [-1, 0]]]
/// @gives tl::fft2(z) = [[[2, 1], [0, 1]], [[4, -1], [-2, -1]]]
template <fft2_options Options = fft2_options{}>
TAPELESS_FACTORY auto fft2(operand auto z) {
  return make<fft2_statement<Options, true>>(z);
}

/// The inverse of fft2, which has the factor 1 / (m n).
/// @formula y_ij = 1/(m n) sum_kl z_kl e^(2 pi i (i k / m + j l / n))
/// @shapes floating [.., m, n, 2] -> [.., m, n, 2]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.ifft2
/// @jax jnp.fft.ifft2
/// @given z = [[[2, 1], [0, 1]], [[4, -1], [-2, -1]]]
/// @gives tl::ifft2(z) = [[[1, 0], [2, 0]], [[0, 1], [-1, 0]]]
template <fft2_options Options = fft2_options{}>
TAPELESS_FACTORY auto ifft2(operand auto z) {
  return make<fft2_statement<Options, false>>(z);
}

/// rfft along the second one of two axes, and fft of what comes out along the first.
/// @formula y_kl = sum_ij x_ij e^(-2 pi i (i k / m + j l / n)), l <= n / 2
/// @shapes floating [.., m, n] -> [.., m, n / 2 + 1, 2]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.rfft2
/// @jax jnp.fft.rfft2
/// @given x = [[1, 2, 0], [0, -1, 1]]
/// @gives tl::rfft2(x) = [[[3, 0], [0, 0]], [[3, 0], [0, -3.464]]]
template <fft2_options Options = fft2_options{}>
TAPELESS_FACTORY auto rfft2(operand auto x) {
  return make<rfft2_statement<Options>>(x);
}

/// The inverse of rfft2. An odd extent of the second axis must be named: irfft2<fft2_options{.s = {0,
/// 3}}>(z).
/// @formula y_ij = 1/(m n) sum_kl z_kl e^(2 pi i (i k / m + j l / n)), all l
/// @shapes floating [.., m, l, 2] -> [.., m, n]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.irfft2
/// @jax jnp.fft.irfft2
/// @given z = [[[3, 0], [0, 0]], [[3, 0], [0, -3.4641016]]]
/// @gives tl::irfft2<tl::fft2_options{.s = {0, 3}}>(z) = [[1, 2, 0], [0, -1, 1]]
template <fft2_options Options = fft2_options{}>
TAPELESS_FACTORY auto irfft2(operand auto z) {
  return make<irfft2_statement<Options>>(z);
}

// Calls as in PyTorch, which are refused.
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto fft2(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"fft2"}, detail::options_are_template_argument,
                             sentence{"<tl::fft2_options{.s = {8, 8}}>(z)"}>(x, more...);
}
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto ifft2(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"ifft2"}, detail::options_are_template_argument,
                             sentence{"<tl::fft2_options{.s = {8, 8}}>(z)"}>(x, more...);
}
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto rfft2(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"rfft2"}, detail::options_are_template_argument,
                             sentence{"<tl::fft2_options{.s = {8, 8}}>(x)"}>(x, more...);
}
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto irfft2(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"irfft2"}, detail::options_are_template_argument,
                             sentence{"<tl::fft2_options{.s = {8, 8}}>(z)"}>(x, more...);
}

}  // namespace tapeless
