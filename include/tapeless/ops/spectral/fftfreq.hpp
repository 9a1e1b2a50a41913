// SPDX-License-Identifier: BSL-1.0
// fftfreq<n>(), rfftfreq<n>(): the frequencies of a transform's numbers.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

template <element Type, extent N, bool Half>
struct fftfreq_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) {
    extent_table& extents = g.extents;
    const std::int64_t n = extents.number(N), half = extents.add(extents.divide(n, 2), 1);
    const value k = make_iota(g, {1, {Half ? half : n}}, 0, element::i64);
    const value turns = Half ? k : where(k + k < number(g, n), k, k - number(g, n));
    return cast(turns, Type) / make_size(g, n);
  }

 private:
  static constexpr value number(graph& g, std::int64_t n) { return cast(make_size(g, n), element::i64); }
};

namespace detail {

template <extent N>
concept is_length = N.symbol != nullptr || (N.value > 0);

}  // namespace detail

/// The frequencies of the n numbers of fft, an integer or a run-time extent, in turns for each element of the
/// signal; divide by the time between elements where that is not 1.
/// @formula y = [0, 1, .., (n - 1) / 2, -(n / 2), .., -1] / n; without a derivative
/// @shapes -> T [n]
/// @torch torch.fft.fftfreq
/// @jax jnp.fft.fftfreq
/// @gives tl::fftfreq<float, 5>() = [0, 0.2, 0.4, -0.4, -0.2]
template <element_type T, extent N>
  requires detail::is_length<N>
constexpr auto fftfreq() {
  return leaf<fftfreq_statement<element_of<T>, N, false>>{};
}

/// The same of the n / 2 + 1 numbers of rfft.
/// @formula y = [0, 1, .., n / 2] / n; without a derivative
/// @shapes -> T [n / 2 + 1]
/// @torch torch.fft.rfftfreq
/// @jax jnp.fft.rfftfreq
/// @gives tl::rfftfreq<float, 4>() = [0, 0.25, 0.5]
template <element_type T, extent N>
  requires detail::is_length<N>
constexpr auto rfftfreq() {
  return leaf<fftfreq_statement<element_of<T>, N, true>>{};
}

}  // namespace tapeless
