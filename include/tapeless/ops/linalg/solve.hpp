// SPDX-License-Identifier: BSL-1.0
// solve(a, b): linear systems.
#pragma once

#include <tapeless/ops/linalg/lu.hpp>

namespace tapeless {

struct solve_statement {
  static constexpr std::string_view name = "solve";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    if (!detail::require_square(name, a)) return a;
    constexpr std::string_view taken = "[.., n, n] and [.., n] or [.., n, k] of one floating type";
    return detail::solution_of(name, taken, a, b, [](value left, value right) {
      return detail::share_batch(left, right) ? solve_by_lu(left, right, false) : value{};
    });
  }
};

/// The x with a x = b: of vectors b [.., n], where their axes are those of a without the last one, or of
/// matrices b [.., n, k], whose batch broadcasts with a's. Rows are exchanged as in lu. Where a is singular,
/// x is infinite or NaN: no step stops for it.
/// @formula a x = b; dx = a^-1 (db - da x)
/// @shapes floating [.., n, n] [.., n, k] -> [.., n, k]; [.., n, n] [.., n] -> [.., n]
/// @errors linear_systems
/// @torch torch.linalg.solve
/// @jax jnp.linalg.solve
/// @given a = [[2, 1], [1, 3]]; b = [4, 7]
/// @gives tl::solve(a, b) = [1, 2]
template <class A, class B>
  requires value_operands<A, B>
constexpr value solve(A a, B b) {
  return make<solve_statement>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto solve(A a, B b) {
  return make<solve_statement>(a, b);
}

}  // namespace tapeless
