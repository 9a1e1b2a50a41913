// SPDX-License-Identifier: BSL-1.0
// fftn(z), ifftn(z), rfftn(x), irfftn(z): Fourier transforms along any number of axes.
#pragma once

#include <tapeless/ops/spectral/fourier.hpp>

namespace tapeless {

/// A number for each of some axes.
template <class Number>
struct fft_numbers {
  Number items[max_rank]{};
  int count = 0;

  constexpr fft_numbers() = default;
  template <class... N>
    requires(sizeof...(N) >= 1 && sizeof...(N) <= max_rank && (std::is_convertible_v<N, Number> && ...))
  constexpr fft_numbers(N... n) : items{static_cast<Number>(n)...}, count(sizeof...(N)) {}
  /// Member by member, as nvcc writes a default value for the host's compiler.
  constexpr fft_numbers(const Number (&all)[max_rank], int size) : count(size) {
    for (int i = 0; i < max_rank; ++i) items[i] = all[i];
  }
};

/// Options of Fourier transforms along several axes. Axes count without that of the pairs which complex
/// numbers are.
struct fftn_options {
  fft_numbers<extent> s = {};  ///< fft_options::n of each axis; none: as many as there are
  fft_numbers<int> axes = {};  ///< none: the last ones, of which s has numbers; all, where s has none
  fft_norm norm = fft_norm::backward;

  constexpr int count(int rank) const { return axes.count > 0 ? axes.count : s.count > 0 ? s.count : rank; }
  constexpr fft_options along(int i, int rank) const {
    const int axis = axes.count > 0 ? axes.items[i] : i - count(rank);
    return {s.count > 0 ? s.items[i] : extent(0), axis, norm};
  }
};

namespace detail {

/// An error where an axis comes twice, where there is none, and where lengths are more or fewer than axes.
constexpr bool require_axes(std::string_view op, value x, int rank, const fftn_options& o) {
  const int count = o.count(rank);
  if (count == 0 || (o.s.count > 0 && o.s.count != count)) {
    x.fail(shape_sentence(op, x) << ": it takes one axis or more, and one length for each, got " << count
                                 << " and " << o.s.count);
    return false;
  }
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i; ++j) {
      const int a = o.along(i, rank).axis, b = o.along(j, rank).axis;
      if (normal_axis(a, rank) < 0 || normal_axis(a, rank) != normal_axis(b, rank)) continue;
      x.fail(shape_sentence(op, x) << ": its axes " << b << " and " << a << " are the same one");
      return false;
    }
  return true;
}

}  // namespace detail

/// Kind is that of the last axis: the first one that is transformed, but the last one of what gives real
/// numbers.
template <fftn_options Options, fourier_kind Kind>
struct fftn_statement {
  static constexpr bool forward = Kind == fourier_kind::forward || Kind == fourier_kind::half;
  static constexpr std::string_view name = Kind == fourier_kind::forward    ? "fftn"
                                           : Kind == fourier_kind::backward ? "ifftn"
                                           : Kind == fourier_kind::half     ? "rfftn"
                                                                            : "irfftn";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (detail::takes_complex(Kind) && !detail::require_complex(name, x)) return x;
    const int rank = x.rank() - (detail::takes_complex(Kind) ? 1 : 0), last = Options.count(rank) - 1;
    if (!detail::require_axes(name, x, rank, Options)) return x;
    constexpr fourier_kind others = forward ? fourier_kind::forward : fourier_kind::backward;
    constexpr bool ends_real = Kind == fourier_kind::whole;
    value y = x;
    if (!ends_real) y = detail::transformed(name, y, Kind, forward, Options.along(last, rank));
    for (int i = last - 1; i >= 0; --i)
      y = detail::transformed(name, y, others, forward, Options.along(i, rank));
    if (ends_real) y = detail::transformed(name, y, Kind, forward, Options.along(last, rank));
    return y;
  }
};

/// fft along all axes, or some: fftn<fftn_options{.s = {8, 8, 8}, .axes = {0, 1, 2}}>(z).
/// @formula y_k = sum_j z_j e^(-2 pi i sum_a j_a k_a / n_a)
/// @shapes floating [.., m, n, 2] -> [.., m, n, 2]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.fftn
/// @jax jnp.fft.fftn
/// @given z = [[[1, 0], [2, 0]], [[0, 1], [-1, 0]]]
/// @gives tl::fftn(z) = [[[2, 1], [0, 1]], [[4, -1], [-2, -1]]]
/// @gives tl::fftn<tl::fftn_options{.axes = {0}}>(z) = [[[1, 1], [1, 0]], [[1, -1], [3, 0]]]
template <fftn_options Options = fftn_options{}>
TAPELESS_FACTORY auto fftn(operand auto z) {
  return make<fftn_statement<Options, fourier_kind::forward>>(z);
}

/// The inverse of fftn, which has the factor 1 / n of each axis.
/// @formula z_j = sum_k y_k e^(2 pi i sum_a j_a k_a / n_a) / prod_a n_a
/// @shapes floating [.., m, n, 2] -> [.., m, n, 2]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.ifftn
/// @jax jnp.fft.ifftn
/// @given z = [[[2, 1], [0, 1]], [[4, -1], [-2, -1]]]
/// @gives tl::ifftn(z) = [[[1, 0], [2, 0]], [[0, 1], [-1, 0]]]
template <fftn_options Options = fftn_options{}>
TAPELESS_FACTORY auto ifftn(operand auto z) {
  return make<fftn_statement<Options, fourier_kind::backward>>(z);
}

/// rfft along the last one of the axes, and fft of what comes out along the others.
/// @formula y_k = sum_j x_j e^(-2 pi i sum_a j_a k_a / n_a), the last k_a <= n_a / 2
/// @shapes floating [.., m, n] -> [.., m, n / 2 + 1, 2]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.rfftn
/// @jax jnp.fft.rfftn
/// @given x = [[1, 2, 0], [0, -1, 1]]
/// @gives tl::rfftn(x) = [[[3, 0], [0, 0]], [[3, 0], [0, -3.464]]]
template <fftn_options Options = fftn_options{}>
TAPELESS_FACTORY auto rfftn(operand auto x) {
  return make<fftn_statement<Options, fourier_kind::half>>(x);
}

/// The inverse of rfftn. An odd extent of the last axis must be named, with those of the others: 0 for as
/// many as there are, irfftn<fftn_options{.s = {0, 3}}>(z).
/// @formula x_j = sum_k y_k e^(2 pi i sum_a j_a k_a / n_a) / prod_a n_a, all k
/// @shapes floating [.., m, l, 2] -> [.., m, n]
/// @errors complex_pairs fft_options_as_arguments
/// @torch torch.fft.irfftn
/// @jax jnp.fft.irfftn
/// @given z = [[[3, 0], [0, 0]], [[3, 0], [0, -3.4641016]]]
/// @gives tl::irfftn<tl::fftn_options{.s = {0, 3}}>(z) = [[1, 2, 0], [0, -1, 1]]
template <fftn_options Options = fftn_options{}>
TAPELESS_FACTORY auto irfftn(operand auto z) {
  return make<fftn_statement<Options, fourier_kind::whole>>(z);
}

// Calls as in PyTorch, which are refused.
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto fftn(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"fftn"}, detail::options_are_template_argument,
                             sentence{"<tl::fftn_options{.s = {8, 8, 8}}>(z)"}>(x, more...);
}
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto ifftn(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"ifftn"}, detail::options_are_template_argument,
                             sentence{"<tl::fftn_options{.s = {8, 8, 8}}>(z)"}>(x, more...);
}
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto rfftn(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"rfftn"}, detail::options_are_template_argument,
                             sentence{"<tl::fftn_options{.s = {8, 8, 8}}>(x)"}>(x, more...);
}
template <plain_number auto... N, detail::called_with X, class... More>
  requires(sizeof...(N) + sizeof...(More) > 0)
constexpr auto irfftn(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"irfftn"}, detail::options_are_template_argument,
                             sentence{"<tl::fftn_options{.s = {8, 8, 8}}>(z)"}>(x, more...);
}

}  // namespace tapeless
