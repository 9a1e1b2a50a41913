// SPDX-License-Identifier: BSL-1.0
// stft<stft_options{.n_fft = 512}>(x, window): the transforms of overlapping pieces of a signal; and istft,
// back.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/spatial/padding_mode.hpp>
#include <tapeless/ops/spatial/windows.hpp>
#include <tapeless/ops/spectral/complex_pairs.hpp>

namespace tapeless {

/// Options of stft and istft, with PyTorch's names and defaults.
struct stft_options {
  std::int64_t n_fft = 0;       ///< elements of a piece; must be given
  std::int64_t hop_length = 0;  ///< from one piece to the next; 0: n_fft / 4
  std::int64_t win_length = 0;  ///< of the window, which stands in the middle of a piece; 0: n_fft
  bool center = true;  ///< whether piece t is around element t hop_length, so that x goes on at its ends
  padding_mode pad_mode = padding_mode::reflect;  ///< as what it does
  bool normalized = false;  ///< whether the transforms are multiplied by 1 / sqrt(n_fft)
  bool onesided = true;     ///< whether they are those of rfft
  std::int64_t length = 0;  ///< istft: elements of the signal; 0: as many as the pieces hold

  constexpr std::int64_t hop() const { return hop_length == 0 ? n_fft / 4 : hop_length; }
  constexpr std::int64_t width() const { return win_length == 0 ? n_fft : win_length; }
  constexpr window piece() const { return {n_fft, hop(), 1}; }
  constexpr bool is_possible() const { return n_fft > 0 && hop() > 0 && width() > 0 && width() <= n_fft; }
};

namespace detail {

/// The window with zeros before and behind it: [n_fft], ones between them where none is given.
constexpr value window_of_piece(value x, value window, const stft_options& o) {
  graph& g = *x.builder;
  const std::int64_t before = (o.n_fft - o.width()) / 2;
  if (!window.exists()) {
    const value one = make_constant(g, 1, x.type());
    if (o.width() == o.n_fft) return one;
    window = expand(one, {1, {o.width()}});
  }
  return pad(window, 0, before, 1, o.n_fft);
}

constexpr bool fits_window(std::string_view op, value x, value window, const stft_options& o) {
  if (!window.exists()) return true;
  if (window.rank() == 1 && window.get().shape[0] == o.width() && window.type() == x.type()) return true;
  text takes;
  takes << "a window of " << o.width() << " elements of x's type";
  do_not_fit(op, {{"x", x}, {"window", window}}, takes.view());
  return false;
}

constexpr value stft(value x, value window, const stft_options& o) {
  constexpr std::string_view name = "stft";
  if (!require_kind(name, x, element_kind::floating)) return x;
  if (x.rank() < 1 || x.rank() > 2) return x.fail(shape_sentence(name, x) << ": it takes [.., length]");
  if (!fits_window(name, x, window, o)) return x;
  graph& g = *x.builder;
  const int axis = x.rank() - 1;
  if (o.center) x = pad_along(name, x, axis, o.n_fft / 2, o.n_fft / 2, o.pad_mode);
  const std::int64_t length = x.get().shape[axis];
  if (extent_table::is_literal(length) && length < o.n_fft)
    return x.fail(shape_sentence(name, x) << ": there is no piece of " << o.n_fft << " elements");
  value pieces = windows(x, axis, o.piece());
  pieces = pieces * window_of_piece(x, window, o);
  value y = o.onesided ? fourier(pieces, fourier_kind::half, 0)
                       : fourier(pairs_of(pieces, expand(make_constant(g, 0, x.type()), shape_of(pieces))),
                                 fourier_kind::forward, 0);
  y = normalized(y, o.n_fft, true, o.normalized ? fft_norm::ortho : fft_norm::backward);
  return move_axis(y, axis, axis + 1, false);
}

constexpr value istft(value z, value window, const stft_options& o) {
  constexpr std::string_view name = "istft";
  if (!require_complex(name, z)) return z;
  const int axis = z.rank() - 3;  // of the frequencies
  const std::int64_t frequencies = o.onesided ? o.n_fft / 2 + 1 : o.n_fft;
  if (axis < 0 || axis > 1 || z.get().shape[axis] != frequencies)
    return z.fail(shape_sentence(name, z) << ": it takes [.., " << frequencies << ", pieces, 2]");
  if (z.get().shape[axis + 1] == 0) return z.fail(shape_sentence(name, z) << ": there is no piece");
  if (!fits_window(name, z, window, o)) return z;
  extent_table& e = z.builder->extents;
  const value spectra = move_axis(z, axis, axis + 1, false);
  const value first_half = resized(spectra, axis + 1, o.n_fft / 2 + 1);
  value pieces = fourier(first_half, fourier_kind::whole, o.n_fft);
  pieces = normalized(pieces, o.n_fft, false, o.normalized ? fft_norm::ortho : fft_norm::backward);
  const value weights = expand(window_of_piece(z, window, o), {1, {o.n_fft}});
  pieces = pieces * weights;
  const std::int64_t count = pieces.get().shape[axis];
  const std::int64_t whole = e.add(e.multiply(e.subtract(count, 1), o.hop()), o.n_fft);
  const value sums = overlap_add(pieces, axis, o.piece(), whole);
  const value covered = overlap_add(expand(weights * weights, {2, {count, o.n_fft}}), 0, o.piece(), whole);
  const std::int64_t start = o.center ? o.n_fft / 2 : 0;
  const value signal = sums / covered;
  if (o.length == 0) return slice(signal, axis, start, 1, e.subtract(whole, 2 * start));
  if (extent_table::is_literal(whole) && whole >= start + o.length)
    return slice(signal, axis, start, 1, o.length);
  return resized(slice(signal, axis, start, 1, e.subtract(whole, start)), axis, o.length);
}

}  // namespace detail

template <stft_options Options, bool Back, bool Windowed>
struct stft_statement {
  static constexpr std::string_view name = Back ? "istft" : "stft";
  static constexpr int arity = Windowed ? 2 : 1;
  static constexpr value build(value x, value window = {}) {
    if (!Options.is_possible())
      return x.fail(text() << name << " of pieces of " << Options.n_fft << " elements, " << Options.hop()
                           << " apart, with a window of " << Options.width()
                           << ": all three are 1 or more, and the window no longer than a piece");
    return Back ? detail::istft(x, window, Options) : detail::stft(x, window, Options);
  }
};

/// The transforms of pieces of a signal, each n_fft elements long and hop_length behind the one before,
/// times a window of win_length elements, ones where none is given:
/// stft<stft_options{.n_fft = 512, .hop_length = 128}>(x, window). Options are PyTorch's. A batch of signals
/// is [batch, length].
/// @formula y_kt = sum_j window_j x_(t hop + j - n_fft/2) e^(-2 pi i j k / n_fft)
/// @shapes floating [.., length] -> [.., n_fft / 2 + 1, pieces, 2]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.stft
/// @jax jax.scipy.signal.stft
/// @given x = [1, 2, 0, -1, 1, 3]
/// @gives tl::stft<tl::stft_options{.n_fft = 2, .hop_length = 2}>(x)
///   = [[[3, 0], [2, 0], [0, 0], [4, 0]], [[1, 0], [2, 0], [-2, 0], [2, 0]]]
template <stft_options Options, class X, class... W>
  requires(operands<X, W...> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto stft(X x, W... window) {
  return make<stft_statement<Options, false, sizeof...(W) == 1>>(x, window...);
}

/// The signal whose stft with the same options comes nearest to z: pieces are added up where they overlap,
/// and divided by the sum of the squares of the windows there. Where that is 0, elements are not finite
/// (PyTorch throws an exception). Of spectra that are not onesided the second half is not looked at. .length
/// says how many elements there are, with zeros behind what the pieces hold.
/// @formula y_i = sum_t window_j piece_tj / sum_t window_j^2, i = t hop + j - n_fft/2
/// @shapes floating [.., n_fft / 2 + 1, pieces, 2] -> [.., length]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.istft
/// @jax jax.scipy.signal.istft
/// @given z = [[[3, 0], [1, 0], [-1, 0], [0, 0]], [[1, 0], [-1, 0], [1, 0], [-2, 0]]]
/// @gives tl::istft<tl::stft_options{.n_fft = 2, .hop_length = 1}>(z) = [0.5, 0.5, -1]
template <stft_options Options, class Z, class... W>
  requires(operands<Z, W...> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto istft(Z z, W... window) {
  return make<stft_statement<Options, true, sizeof...(W) == 1>>(z, window...);
}

// Calls as in PyTorch, which are refused.
template <plain_number auto... N, detail::called_with X, class... More>
constexpr auto stft(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"stft"}, detail::options_are_template_argument,
                             sentence{"<tl::stft_options{.n_fft = 512}>(x, window)"}>(x, more...);
}
template <plain_number auto... N, detail::called_with X, class... More>
constexpr auto istft(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"istft"}, detail::options_are_template_argument,
                             sentence{"<tl::stft_options{.n_fft = 512}>(z, window)"}>(x, more...);
}

}  // namespace tapeless
