// SPDX-License-Identifier: BSL-1.0
// svd(a), svdvals(a): singular values and vectors.
#pragma once

#include <tuple>

#include <tapeless/ops/linalg/matrix_operands.hpp>
#include <tapeless/ops/pointwise/where.hpp>

// The factors of tl::cpu.
#if __has_include(<Eigen/Eigenvalues>)
#include <Eigen/Eigenvalues>
#endif

namespace tapeless {

/// u, below it the singular values s, below them v, of matrices with no more columns than rows. With skew(x)
/// = x - x^T, ku = skew(u^T gu) and kv = skew(v^T gv), the cotangent of a is u (m + diag(gs)) v^T, and (1 - u
/// u^T) gu s^-1 v^T for what is beside u's columns, where
///   m_ij = (ku + kv)_ij / 2 (s_j - s_i) + (ku - kv)_ij / 2 (s_j + s_i).
/// Equal singular values have any basis. A loss that does not depend on it has ku + kv = 0 there, and its
/// cotangent is the second term alone.
struct svd_operation {
  struct parts {
    value u, s, v;
  };
  static constexpr parts parts_of(value y, std::int64_t m, std::int64_t n) {
    return {detail::rows(y, 0, m), detail::one_row(y, m), detail::rows(y, m + 1, n)};
  }

  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    const std::int64_t m = detail::rows_of(x[0]), n = detail::columns_of(x[0]);
    const parts p = parts_of(y, m, n), of = parts_of(g, m, n);
    const value row = detail::as_rows(p.s), column = detail::as_columns(p.s);
    const value difference = row - column, sum = row + column;
    const value equal = detail::equal_pairs(p.s), none = sum == 0.0;
    const auto skew = [](value vectors, value cotangent) {
      const value k = matmul(transpose_last(vectors), cotangent);
      return k - transpose_last(k);
    };
    const value ku = skew(p.u, of.u), kv = skew(p.v, of.v);
    const value middle = where(equal, 0.0, (ku + kv) * 0.5 / where(equal, 1.0, difference)) +
                         where(none, 0.0, (ku - kv) * 0.5 / where(none, 1.0, sum)) +
                         detail::as_columns(of.s) * detail::identity_matrices(p.v);
    value left = matmul(p.u, middle);
    if (m > n) {
      const value zero = row == 0.0, beside = of.u - matmul(p.u, matmul(transpose_last(p.u), of.u));
      left = left + where(zero, 0.0, beside / where(zero, 1.0, row));
    }
    return matmul(left, transpose_last(p.v));
  }
  static constexpr operation op{"svd", matrix_kind::svd, jacobian::general, &cotangent_of};

  /// a = u diag(s) v^T. Precondition: matrices of float or double whose extents are integers.
  static constexpr parts build(value a) {
    const std::int64_t m = detail::rows_of(a), n = detail::columns_of(a);
    if (m < n) {
      const parts p = build(transpose_last(a));
      return {p.v, p.s, p.u};
    }
    return parts_of(a.insert(detail::matrix_node(op, a, m + n + 1, n)), m, n);
  }
};

/// An alias of the singular values, with the operands a, u and v: the cotangent of a is u diag(g) v^T, which
/// equal singular values do not disturb.
struct svdvals_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value) {
    if (k != 1) return {};
    return matmul(x[2] * detail::as_rows(g), transpose_last(x[3]));
  }
  static constexpr operation op{"svdvals", family::alias, jacobian::general, &cotangent_of};

  static constexpr value build(value a) {
    const svd_operation::parts p = svd_operation::build(a);
    node n = detail::unary_node(op, p.s, shape_of(p.s));
    for (const value& operand : {a, p.u, p.v}) n.operands[n.operand_count++] = operand.id;
    return a.insert(n);
  }
};

template <int Part>
struct svd_statement {
  static constexpr std::string_view name = "svd";
  static constexpr int arity = 1;
  static constexpr value build(value a) {
    if (!detail::require_known_matrices(name, a)) return a;
    return detail::at_least_float(a, [](value x) {
      if (Part == 1) return svdvals_operation::build(x);
      const svd_operation::parts p = svd_operation::build(x);
      return Part == 0 ? p.u : transpose_last(p.v);
    });
  }
};

/// auto [u, s, vt] = svd(a), with PyTorch's full_matrices = false: s has the k singular values, descending,
/// where k is the smaller one of m and n, which are integers. The largest element of each row of vt (of each
/// column of u, where m < n) is positive. PyTorch leaves the sign open: a loss should depend on u and vt
/// together. Singular vectors of equal singular values are any basis of their space and have no derivative:
/// what would be divided by a difference that may be rounding is left out, as in eigh. The gradient of a loss
/// that does not depend on the basis, such as one of u vt, the nearest rotation, is right there, too. All is
/// NaN where a is not finite.
/// @formula a = u diag(s) vt, u^T u = 1, vt vt^T = 1
/// @shapes floating [.., m, n] -> [.., m, k], [.., k] and [.., k, n]
/// @errors linear_systems
/// @torch torch.linalg.svd
/// @jax jnp.linalg.svd
/// @given a = [[0, 2], [-3, 0]]
/// @example auto [u, s, vt] = tl::svd(a);
/// @gives u = [[0, 1], [-1, 0]]
/// @gives s = [3, 2]
/// @gives vt = [[1, 0], [0, 1]]
TAPELESS_FACTORY auto svd(expression_operand auto a) {
  return std::make_tuple(make<svd_statement<0>>(a), make<svd_statement<1>>(a), make<svd_statement<2>>(a));
}

/// The singular values, descending. Their first derivatives are right where some are equal, too.
/// @formula a = u diag(y) v^T; dy_i = u_i^T da v_i
/// @shapes floating [.., m, n] -> [.., k], k the smaller one of m and n
/// @errors linear_systems
/// @torch torch.linalg.svdvals
/// @jax none
/// @given a = [[3, 0], [4, 5]]
/// @gives tl::svdvals(a) = [6.708, 2.236]
constexpr value svdvals(is_value auto a) { return make<svd_statement<1>>(a); }
TAPELESS_FACTORY auto svdvals(expression_operand auto a) { return make<svd_statement<1>>(a); }

}  // namespace tapeless
