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
    if (a.type() != b.type() || b.rank() == 0) return do_not_fit(a, b);
    if (is_half(a.type())) return cast(build(cast(a, element::f32), cast(b, element::f32)), a.type());
    // As PyTorch: b is vectors where it has a's axes without the last one.
    shape_list axes = shape_of(a);
    --axes.rank;
    const bool vectors = b.rank() == 1 || shape_of(b) == axes;
    value left = a, right = vectors ? detail::as_columns(b) : b;
    if (detail::rows_of(a) != detail::rows_of(right) || !detail::share_batch(left, right))
      return do_not_fit(a, b);
    const value x = solve_by_lu(left, right, false);
    shape_list s = shape_of(x);
    --s.rank;
    return vectors ? reshape(x, s) : x;
  }

 private:
  static constexpr value do_not_fit(value a, value b) {
    return detail::do_not_fit(name, {{"a", a}, {"b", b}},
                              "[.., n, n] and [.., n] or [.., n, k] of one floating type");
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
