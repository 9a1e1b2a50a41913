// SPDX-License-Identifier: BSL-1.0
// local_response_norm<size>(x): each channel divided by what its neighbours hold (Krizhevsky, Sutskever and
// Hinton, 2012).
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/pow.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/shape/pad.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

/// Options of local_response_norm, with PyTorch's defaults.
struct response {
  double alpha = 1e-4;  ///< times the mean of the squares
  double beta = 0.75;   ///< the exponent of the divisor
  double k = 1;         ///< the least that is divided by, before the power
  friend constexpr bool operator==(const response&, const response&) = default;
};

template <int Size, response Options>
struct local_response_norm_statement {
  static constexpr std::string_view name = "local_response_norm";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    if (Size > 0) return {};
    return text() << "local_response_norm takes a size of 1 or more, but got " << Size;
  }
  static constexpr value build(value x) {
    if (x.rank() < 3 || !is_floating(x.type()))
      return x.fail(detail::shape_sentence(name, x) << ": it takes floating [batch, channels, length, ...]");
    extent_table& extents = x.builder->extents;
    const std::int64_t channels = x.get().shape[1], before = Size / 2;
    const value squares = pad(square(x), 1, before, 1, extents.add(channels, Size - 1));
    value total = slice(squares, 1, 0, 1, channels);
    for (int i = 1; i < Size; ++i) total = total + slice(squares, 1, i, 1, channels);
    return x / pow(total * (Options.alpha / Size) + Options.k, Options.beta);
  }
};

/// x / (k + alpha mean)^beta with the mean of the squares of Size neighbouring channels, Size / 2 of them
/// before the channel; what is outside counts as 0: x [batch, channels, length, ...]. Reads response::alpha,
/// beta and k.
/// @formula y_c = x_c / (k + alpha / Size sum_i x_(c + i)^2)^beta
/// @shapes floating [batch, channels, length, ..] -> the same
/// @errors shapes_of_vectors
/// @torch torch.nn.functional.local_response_norm
/// @jax none: written out in models
/// @given x = [[[1], [2], [3]]]
/// @gives tl::local_response_norm<3, tl::response{.alpha = 3, .beta = 1}>(x) = [[[0.1667], [0.1333],
/// [0.2143]]]
template <int Size, response Options = response{}>
TAPELESS_FACTORY auto local_response_norm(operand auto x) {
  return make<local_response_norm_statement<Size, Options>>(x);
}

}  // namespace tapeless
