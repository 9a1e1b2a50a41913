// SPDX-License-Identifier: BSL-1.0
// lu(a): a = p l u with rows exchanged, and what linear systems, determinants and inverses are made of.
#pragma once

#include <tuple>

#include <tapeless/ops/linalg/solve_triangular.hpp>

namespace tapeless {

namespace detail {

/// The parts of a factorization: l without its ones and u in one square, and p with a = p l u.
constexpr value lu_square(value factors) { return rows(factors, 0, columns_of(factors)); }
constexpr value lu_permutation(value factors) {
  const std::int64_t n = columns_of(factors);
  const shape_list matrix{2, {n, n}};
  const value row = make_iota(*factors.builder, matrix, 0, factors.type());
  return cast(row == as_rows(one_row(factors, n)), factors.type());
}
constexpr value lu_lower(value factors) {
  const value square = lu_square(factors);
  return below_diagonal(square) + identity_matrices(square);
}

}  // namespace detail

/// With n = l^-1 p^T da u^-1: dl = l tril(n, -1), du = triu(n) u.
struct lu_operation {
  static constexpr value cotangent_of(int, value g, const value*, value y) {
    const value square = detail::lu_square(y), of_square = detail::lu_square(g);
    const value l = detail::lu_lower(y), u = detail::upper_part(square);
    const value of_n = detail::below_diagonal(matmul(transpose_last(l), detail::below_diagonal(of_square))) +
                       detail::upper_part(matmul(detail::upper_part(of_square), transpose_last(u)));
    const value left = solve_triangular(transpose_last(square), of_n, {.upper = true, .unit = true});
    const value both = transpose_last(solve_triangular(square, transpose_last(left), {.upper = true}));
    return matmul(detail::lu_permutation(y), both);
  }
  static constexpr operation op{"lu", matrix_kind::lu, jacobian::general, &cotangent_of};

  /// Precondition: square matrices of float or double.
  static constexpr value factors_of(value a) {
    const std::int64_t n = detail::rows_of(a);
    return a.insert(detail::matrix_node(op, a, a.builder->extents.add(n, 1), n));
  }
};

/// a x = b, or a^T x = b.
constexpr value solve_by_lu(value a, value b, bool transposed);

/// An alias of the solution, with the operands a and b: the cotangent of b is a system with a's transpose, of
/// the same factors, and that of a is -c x^T.
template <bool Transposed>
struct solve_by_lu_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    if (k == 0) return {};
    const value c = solve_by_lu(x[1], g, !Transposed);
    if (k == 2) return c;
    return Transposed ? -matmul(y, transpose_last(c)) : -matmul(c, transpose_last(y));
  }
  static constexpr operation op{"solve", family::alias, jacobian::general, &cotangent_of};
};

constexpr value solve_by_lu(value a, value b, bool transposed) {
  const value factors = lu_operation::factors_of(a), square = detail::lu_square(factors),
              p = detail::lu_permutation(factors);
  if (transposed) {
    const value left = solve_triangular(transpose_last(square), b, {.upper = false}),
                x = solve_triangular(transpose_last(square), left, {.upper = true, .unit = true});
    return detail::alias_of(solve_by_lu_operation<true>::op, matmul(p, x), a, b);
  }
  const value left = solve_triangular(square, matmul(transpose_last(p), b), {.upper = false, .unit = true});
  return detail::alias_of(solve_by_lu_operation<false>::op, solve_triangular(square, left, {.upper = true}),
                          a, b);
}

template <int Part>
struct lu_statement {
  static constexpr std::string_view name = "lu";
  static constexpr int arity = 1;
  static constexpr value build(value a) {
    if (!detail::require_square(name, a)) return a;
    return detail::at_least_float(a, [](value x) {
      const value factors = lu_operation::factors_of(x);
      if (Part == 0) return detail::lu_permutation(factors);
      return Part == 1 ? detail::lu_lower(factors) : detail::upper_part(detail::lu_square(factors));
    });
  }
};

/// auto [p, l, u] = lu(a), of square matrices: a = p l u with l's diagonal 1 and u upper triangular; p orders
/// rows such that no element of l is larger than 1, and has no derivative. Derivatives are not finite where a
/// is singular.
/// @formula a = p l u
/// @shapes floating [.., n, n] -> three of [.., n, n]
/// @errors linear_systems
/// @torch torch.linalg.lu
/// @jax jax.scipy.linalg.lu
/// @given a = [[1, 2], [2, 6]]
/// @example auto [p, l, u] = tl::lu(a);
/// @gives p = [[0, 1], [1, 0]]
/// @gives l = [[1, 0], [0.5, 1]]
/// @gives u = [[2, 6], [0, -1]]
TAPELESS_FACTORY auto lu(expression_operand auto a) {
  return std::make_tuple(make<lu_statement<0>>(a), make<lu_statement<1>>(a), make<lu_statement<2>>(a));
}

}  // namespace tapeless
