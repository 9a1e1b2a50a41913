// SPDX-License-Identifier: BSL-1.0
// fftshift<axes...>(x), ifftshift<axes...>(x): the zero frequency in the middle, and back.
#pragma once

#include <tapeless/ops/base/axes.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

template <bool Back, int... Axes>
struct fftshift_statement {
  static constexpr std::string_view name = Back ? "ifftshift" : "fftshift";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const unsigned axes = detail::axis_mask<Axes...>(name, x);
    for (int axis = 0; axis < x.rank(); ++axis) {
      if ((axes >> axis & 1u) == 0) continue;
      const std::int64_t n = x.get().shape[axis];
      if (!extent_table::is_literal(n))
        return x.fail(detail::shape_sentence(name, x)
                      << ": the extent of axis " << axis << " must be an integer");
      const std::int64_t head = Back ? n / 2 : n - n / 2;
      if (n < 2) continue;
      const value parts[] = {slice(x, axis, head, 1, n - head), slice(x, axis, 0, 1, head)};
      x = concat(parts, 2, axis);
    }
    return x;
  }
};

/// The frequencies of a transform in the order of their numbers, from the most negative one on: elements are
/// moved along each of the axes by half its extent, rounded down. Axes must be named, since that of complex
/// numbers' pairs is one of x's: fftshift<-2>(fft(z)).
/// @formula y_i = x_((i - n/2) mod n) along each axis
/// @shapes [..] -> [..]
/// @errors shapes
/// @torch torch.fft.fftshift
/// @jax jnp.fft.fftshift
/// @given x = [0, 1, 2, -2, -1]
/// @gives tl::fftshift<0>(x) = [-2, -1, 0, 1, 2]
template <int... Axes>
  requires(sizeof...(Axes) > 0)
TAPELESS_FACTORY auto fftshift(operand auto x) {
  return make<fftshift_statement<false, Axes...>>(x);
}

/// The inverse of fftshift.
/// @formula y_((i - n/2) mod n) = x_i along each axis
/// @shapes [..] -> [..]
/// @errors shapes
/// @torch torch.fft.ifftshift
/// @jax jnp.fft.ifftshift
/// @given x = [-2, -1, 0, 1, 2]
/// @gives tl::ifftshift<0>(x) = [0, 1, 2, -2, -1]
template <int... Axes>
  requires(sizeof...(Axes) > 0)
TAPELESS_FACTORY auto ifftshift(operand auto x) {
  return make<fftshift_statement<true, Axes...>>(x);
}

}  // namespace tapeless
