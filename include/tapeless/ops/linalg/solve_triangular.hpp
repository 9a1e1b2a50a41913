// SPDX-License-Identifier: BSL-1.0
// solve_triangular(a, b): the solution of a x = b for a triangular matrix a.
#pragma once

#include <tapeless/ops/linalg/matrix_operands.hpp>

namespace tapeless {

constexpr value solve_triangular(value a, value b, const triangle& part);

/// x = a^-1 b: the cotangent of b is c = a^-T g, that of a is -c x^T, of the triangle that is looked at.
struct solve_triangular_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    const triangle part = triangle_of(y.get());
    const value c = solve_triangular(transpose_last(x[0]), g, {!part.upper, part.unit});
    if (k == 1) return c;
    const value full = -matmul(c, transpose_last(y));
    if (part.upper) return part.unit ? triangle_statement<false, 1>::build(full) : detail::upper_part(full);
    return part.unit ? detail::below_diagonal(full) : detail::lower_part(full);
  }
  static constexpr operation op{"solve_triangular", matrix_kind::triangular_solve, jacobian::general,
                                &cotangent_of};
};

/// Precondition: a [.., n, n] and b [.., n, k] are of one batch and one type, which is float or double.
constexpr value solve_triangular(value a, value b, const triangle& part) {
  node n = detail::unary_node(solve_triangular_operation::op, a, shape_of(b));
  n.operands[n.operand_count++] = b.id;
  set_triangle(n, part);
  return a.insert(n);
}

/// Options of solve_triangular: which triangle of a is looked at, whether its diagonal is taken for ones, and
/// whether a is on the left of x.
struct triangular {
  bool upper = false;
  bool unitriangular = false;
  bool left = true;
};

template <triangular Options>
struct solve_triangular_statement {
  static constexpr std::string_view name = "solve_triangular";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    if (!detail::require_square(name, a)) return a;
    const bool fits = b.rank() >= 2 && a.type() == b.type() &&
                      detail::rows_of(a) == (Options.left ? detail::rows_of(b) : detail::columns_of(b));
    if (!fits || !detail::share_batch(a, b))
      return detail::do_not_fit(name, {{"a", a}, {"b", b}},
                                Options.left ? "[.., n, n] and [.., n, k] of one floating type"
                                             : "[.., n, n] and [.., k, n] of one floating type");
    if (is_half(a.type())) {
      const value x = build(cast(a, element::f32), cast(b, element::f32));
      return cast(x, b.type());
    }
    if (Options.left) return solve_triangular(a, b, {Options.upper, Options.unitriangular});
    // x a = b is a^T x^T = b^T
    return transpose_last(
        solve_triangular(transpose_last(a), transpose_last(b), {!Options.upper, Options.unitriangular}));
  }
};

/// The x with a x = b, where a is the lower triangle of a matrix. With triangular{.upper = true} a is the
/// upper one, with .left = false x a = b, with .unitriangular = true the diagonal is ones. The rest of the
/// matrix is not looked at. Batches broadcast. Where the diagonal has a zero, x is infinite or NaN.
/// @formula a x = b; dx = a^-1 (db - da x)
/// @shapes floating [.., n, n] [.., n, k] -> [.., n, k]
/// @errors linear_systems
/// @torch torch.linalg.solve_triangular
/// @jax jax.scipy.linalg.solve_triangular
/// @given a = [[2, 0], [1, 4]]; b = [[2], [9]]
/// @gives tl::solve_triangular(a, b) = [[1], [2]]
template <triangular Options = triangular{}, class A, class B>
  requires operands<A, B>
TAPELESS_FACTORY auto solve_triangular(A a, B b) {
  return make<solve_triangular_statement<Options>>(a, b);
}

}  // namespace tapeless
