// SPDX-License-Identifier: BSL-1.0
// transpose<a, b>(x): two axes exchanged.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <int A, int B>
struct transpose_statement {
  static constexpr std::string_view name = "transpose";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (is_axis_of_scalar(x, A) && is_axis_of_scalar(x, B)) return x;
    const int a = detail::axis_of(name, x, A), b = detail::axis_of(name, x, B);
    if (a < 0 || b < 0) return x;
    int axes[max_rank] = {};
    for (int i = 0; i < x.rank(); ++i) axes[i] = i == a ? b : i == b ? a : i;
    return permute(x, axes);
  }
};

/// x with the axes A and B exchanged, the last two where none is named: [.., m, n] -> [.., n, m].
/// @formula y = x with the axes A and B exchanged
/// @shapes [.., m, n] -> [.., n, m]
/// @errors shapes
/// @torch torch.transpose
/// @jax jnp.swapaxes
/// @given x = [[1, 2, 3], [4, 5, 6]]
/// @gives tl::transpose(x) = [[1, 4], [2, 5], [3, 6]]
template <int A = -2, int B = -1>
constexpr value transpose(is_value auto x) {
  return make<transpose_statement<A, B>>(x);
}
template <int A = -2, int B = -1>
TAPELESS_FACTORY auto transpose(expression_operand auto x) {
  return make<transpose_statement<A, B>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous transpose(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
