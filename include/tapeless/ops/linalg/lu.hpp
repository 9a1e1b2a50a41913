// SPDX-License-Identifier: BSL-1.0
// lu(a): a = p l u with rows exchanged, and what linear systems, determinants and inverses are made of.
#pragma once

#include <tuple>

#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/indexing/scatter_add.hpp>
#include <tapeless/ops/linalg/solve_triangular.hpp>
#include <tapeless/ops/shape/concat.hpp>

// The factors of tl::cpu.
#if __has_include(<Eigen/LU>)
#include <Eigen/LU>
#endif

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
/// Which row of x goes to each row of p^T x, for every element of x.
constexpr value lu_rows(value factors, value x) {
  return expand(cast(as_columns(one_row(factors, columns_of(factors))), element::i32), shape_of(x));
}
constexpr value lu_lower(value factors) {
  const value square = lu_square(factors);
  return below_diagonal(square) + identity_matrices(square);
}

/// x u^-T, for the upper triangle u of a square.
constexpr value over_upper(value x, value square) {
  return transpose_last(solve_triangular(square, transpose_last(x), {.upper = true}));
}

/// The cotangent of l u, from those of l and u in one square each. With n = l^-1 d(l u) u^-1 it is
/// dl = l tril(n, -1), du = triu(n) u.
constexpr value cotangent_of_lu(value square, value of_l, value of_u) {
  const value l = below_diagonal(square) + identity_matrices(square), u = upper_part(square);
  const value of_n = below_diagonal(matmul(transpose_last(l), below_diagonal(of_l))) +
                     upper_part(matmul(upper_part(of_u), transpose_last(u)));
  return over_upper(solve_triangular(transpose_last(square), of_n, {.upper = true, .unit = true}), square);
}

}  // namespace detail

struct lu_operation {
  static constexpr value cotangent_of(int, value g, const value*, value y) {
    const value of_square = detail::lu_square(g);
    return matmul(detail::lu_permutation(y),
                  detail::cotangent_of_lu(detail::lu_square(y), of_square, of_square));
  }
  static constexpr operation op{"lu", matrix_kind::lu, jacobian::general, &cotangent_of};

  /// Precondition: square matrices of float or double.
  static constexpr value factors_of(value a) {
    const std::int64_t n = detail::rows_of(a);
    return a.insert(detail::matrix_node(op, a, a.builder->extents.add(n, 1), n));
  }
};

/// An alias of the factors of a matrix with more rows than columns, u with l below it, with the operands a
/// and p. Of p^T a = [l1 u; l2 u] the lower part has dl2 = (p^T da - l2 du) u^-1.
struct tall_lu_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    if (k != 1) return {};
    const std::int64_t m = detail::rows_of(y), n = detail::columns_of(y);
    const value square = detail::rows(y, 0, n), of_square = detail::rows(g, 0, n);
    const value of_below = detail::over_upper(detail::rows(g, n, m - n), square);
    const value of_u = of_square - matmul(transpose_last(detail::rows(y, n, m - n)), of_below);
    const value parts[] = {detail::cotangent_of_lu(square, of_square, of_u), of_below};
    return matmul(x[2], concat(parts, 2, y.rank() - 2));
  }
  static constexpr operation op{"lu", family::alias, jacobian::general, &cotangent_of};
};

namespace detail {

struct lu_parts {
  value p, l, u;
};

/// Precondition: matrices of float or double, whose extents are integers or equal.
constexpr lu_parts lu_parts_of(value a) {
  const std::int64_t m = rows_of(a), n = columns_of(a);
  const auto columns = [&](std::int64_t begin, std::int64_t count) {
    return slice(a, a.rank() - 1, begin, 1, count);
  };
  if (m == n) {
    const value factors = lu_operation::factors_of(a);
    return {lu_permutation(factors), lu_lower(factors), upper_part(lu_square(factors))};
  }
  if (m < n) {  // of the first columns; the others go through the same steps
    const lu_parts square = lu_parts_of(columns(0, m));
    const value brought = matmul(transpose_last(square.p), columns(m, n - m));
    const value parts[] = {square.u, solve_triangular(square.l, brought, {.upper = false, .unit = true})};
    return {square.p, square.l, concat(parts, 2, a.rank() - 1)};
  }
  // In a square with zeros behind a, in which columns of zeros change nothing.
  const value factors = lu_operation::factors_of(pad(a, a.rank() - 1, 0, 1, m)), p = lu_permutation(factors);
  const value both = alias_of(tall_lu_operation::op, slice(lu_square(factors), a.rank() - 1, 0, 1, n), a, p);
  const value ones = slice(identity_matrices(lu_square(factors)), a.rank() - 1, 0, 1, n);
  return {p, below_diagonal(both) + ones, upper_part(rows(both, 0, n))};
}

}  // namespace detail

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
  const value factors = lu_operation::factors_of(a), square = detail::lu_square(factors);
  const value order = detail::lu_rows(factors, b);  // products with p would take as long as the factors
  const int row = b.rank() - 2;
  if (transposed) {
    const value left = solve_triangular(transpose_last(square), b, {.upper = false}),
                x = solve_triangular(transpose_last(square), left, {.upper = true, .unit = true});
    return detail::alias_of(solve_by_lu_operation<true>::op, scatter_add(order, x, row, shape_of(x)), a, b);
  }
  const value left = solve_triangular(square, gather(b, row, order), {.upper = false, .unit = true});
  return detail::alias_of(solve_by_lu_operation<false>::op, solve_triangular(square, left, {.upper = true}),
                          a, b);
}

template <int Part>
struct lu_statement {
  static constexpr std::string_view name = "lu";
  static constexpr int arity = 1;
  static constexpr value build(value a) {
    if (!detail::require_matrices(name, a)) return a;
    if (detail::rows_of(a) != detail::columns_of(a) && !detail::require_known_matrices(name, a)) return a;
    return detail::at_least_float(a, [](value x) {
      const detail::lu_parts y = detail::lu_parts_of(x);
      return Part == 0 ? y.p : Part == 1 ? y.l : y.u;
    });
  }
};

/// auto [p, l, u] = lu(a): a = p l u with l's diagonal 1 and u upper triangular; p orders rows such that no
/// element of l is larger than 1, and has no derivative. The extents of matrices that are not square are
/// integers. Derivatives are not finite where the first k columns are linearly dependent; those of more rows
/// than columns go through a square of m^2.
/// @formula a = p l u
/// @shapes floating [.., m, n] -> [.., m, m], [.., m, k] and [.., k, n], k the smaller one of m and n
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
