// SPDX-License-Identifier: BSL-1.0
// rot90<times, a, b>(x): turned by right angles.
#pragma once

#include <tapeless/ops/shape/flip.hpp>
#include <tapeless/ops/shape/permute.hpp>

namespace tapeless {

template <int Times, int A, int B>
struct rot90_statement {
  static constexpr std::string_view name = "rot90";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int a = detail::axis_of(name, x, A), b = detail::axis_of(name, x, B);
    if (a < 0 || b < 0) return x;
    if (a == b) return x.fail(detail::shape_sentence(name, x) << ": it takes two different axes");
    constexpr int turns = (Times % 4 + 4) % 4;
    if constexpr (turns == 0) return x;
    if constexpr (turns == 2) return flip(flip(x, a), b);
    int axes[max_rank] = {};
    for (int i = 0; i < x.rank(); ++i) axes[i] = i == a ? b : i == b ? a : i;
    return turns == 1 ? permute(flip(x, b), axes) : flip(permute(x, axes), b);
  }
};

/// x turned so many times by 90 degrees in the plane of two axes, from the first towards the second.
/// @formula y[i][j] = x[j][n - 1 - i], for one turn
/// @shapes [m, n] -> [n, m] for odd numbers of turns
/// @errors shapes
/// @torch torch.rot90
/// @jax jnp.rot90
/// @given x = [[1, 2], [3, 4]]
/// @gives tl::rot90(x) = [[2, 4], [1, 3]]
template <int Times = 1, int A = 0, int B = 1>
TAPELESS_FACTORY auto rot90(operand auto x) {
  return make<rot90_statement<Times, A, B>>(x);
}

}  // namespace tapeless
