// SPDX-License-Identifier: BSL-1.0
// eigh(a), eigvalsh(a): eigenvalues and eigenvectors of symmetric matrices.
#pragma once

#include <tuple>

#include <tapeless/ops/linalg/matrix_operands.hpp>
#include <tapeless/ops/pointwise/where.hpp>

// The factors of tl::cpu.
#if __has_include(<Eigen/Eigenvalues>)
#include <Eigen/Eigenvalues>
#endif

namespace tapeless {

namespace detail {

/// 1 / (w_j - w_i) in row i and column j, and 0 where they are equal, as on the diagonal. A loss that does
/// not depend on the basis of an eigenspace has 0 / 0 there.
constexpr value divided_differences(value w) {
  const value difference = as_rows(w) - as_columns(w), equal = equal_pairs(w);
  return where(equal, 0.0, 1.0 / where(equal, 1.0, difference));
}

}  // namespace detail

/// Eigenvectors v as columns, below them the eigenvalues w, below them the kernel's memory. The cotangent of
/// a is v (diag(gw) + f v^T gv) v^T, where f_ij = 1 / (w_j - w_i), made symmetric.
struct eigh_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    const parts p = parts_of(y, detail::rows_of(x[0])), of = parts_of(g, detail::rows_of(x[0]));
    const value vt = transpose_last(p.vectors);
    const value middle = detail::divided_differences(p.values) * matmul(vt, of.vectors) +
                         detail::as_columns(of.values) * detail::identity_matrices(p.vectors);
    const value full = matmul(matmul(p.vectors, middle), vt);
    return 0.5 * (full + transpose_last(full));
  }
  static constexpr operation op{"eigh", matrix_kind::eigh, jacobian::general, &cotangent_of};

  struct parts {
    value values, vectors;
  };
  static constexpr parts parts_of(value y, std::int64_t n) {
    return {detail::one_row(y, n), detail::rows(y, 0, n)};
  }
  /// Precondition: square matrices of float or double.
  static constexpr parts build(value a) {
    const std::int64_t n = detail::rows_of(a);
    extent_table& extents = a.builder->extents;
    return parts_of(a.insert(detail::matrix_node(op, a, extents.add(extents.multiply(2, n), 1), n)), n);
  }
};

/// An alias of the eigenvalues w, with the operands a and v: the cotangent of a is v diag(g) v^T, which equal
/// eigenvalues do not disturb.
struct eigvalsh_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value) {
    if (k != 1) return {};
    return matmul(x[2] * detail::as_rows(g), transpose_last(x[2]));
  }
  static constexpr operation op{"eigvalsh", family::alias, jacobian::general, &cotangent_of};
};

template <bool Values>
struct eigh_statement {
  static constexpr std::string_view name = "eigh";
  static constexpr int arity = 1;
  static constexpr value build(value a) {
    if (!detail::require_square(name, a)) return a;
    return detail::at_least_float(a, [](value x) {
      const eigh_operation::parts p = eigh_operation::build(x);
      return Values ? detail::alias_of(eigvalsh_operation::op, p.values, x, p.vectors) : p.vectors;
    });
  }
};

/// auto [w, v] = eigh(a): the eigenvalues w, ascending, of symmetric matrices, of which the lower triangle is
/// looked at. v has an eigenvector in each column, whose largest element is positive (PyTorch leaves the sign
/// open). Derivatives are those along symmetric matrices. Eigenvectors of equal eigenvalues are any basis of
/// their space and have no derivative: what would be divided by a difference that may be rounding is left
/// out, one of 16 + n / 2 units of the last place of the largest eigenvalue or less (of float and small n,
/// 2e-6 of it; PyTorch divides, and has infinities, NaN or the quotients of rounding). So gradients are
/// finite, and right there for losses of eigenvalues, of projections on whole eigenspaces and of the trace of
/// a function of the matrix. That of the function itself, such as its logarithm v log(w) v^T, is wrong where
/// eigenvalues are equal, as at the identity. All is NaN where a is not finite.
/// @formula a = v diag(w) v^T, v^T v = 1
/// @shapes floating [.., n, n] -> [.., n] and [.., n, n]
/// @errors linear_systems
/// @torch torch.linalg.eigh
/// @jax jnp.linalg.eigh
/// @given a = [[1, 2], [2, 4]]
/// @example auto [w, v] = tl::eigh(a);
/// @gives w = [0, 5]
/// @gives v = [[0.8944, 0.4472], [-0.4472, 0.8944]]
TAPELESS_FACTORY auto eigh(expression_operand auto a) {
  return std::make_tuple(make<eigh_statement<true>>(a), make<eigh_statement<false>>(a));
}

/// The eigenvalues of symmetric matrices, ascending. Their first derivatives are right where some are equal,
/// too.
/// @formula a = v diag(y) v^T; dy_i = v_i^T da v_i
/// @shapes floating [.., n, n] -> [.., n]
/// @errors linear_systems
/// @torch torch.linalg.eigvalsh
/// @jax jnp.linalg.eigvalsh
/// @given a = [[1, 2], [2, 4]]
/// @gives tl::eigvalsh(a) = [0, 5]
constexpr value eigvalsh(is_value auto a) { return make<eigh_statement<true>>(a); }
TAPELESS_FACTORY auto eigvalsh(expression_operand auto a) { return make<eigh_statement<true>>(a); }

}  // namespace tapeless
