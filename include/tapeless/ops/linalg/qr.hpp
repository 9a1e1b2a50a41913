// SPDX-License-Identifier: BSL-1.0
// qr(a): a = q r with orthonormal columns of q, and r upper triangular.
#pragma once

#include <tuple>

#include <tapeless/ops/linalg/solve_triangular.hpp>
#include <tapeless/ops/shape/concat.hpp>

// The factors of tl::cpu.
#if __has_include(<Eigen/QR>)
#include <Eigen/QR>
#endif

namespace tapeless {

/// q above r, of matrices with no more columns than rows. With m = r gr^T - gq^T q, the cotangent of a is
/// (gq + q c) r^-T, where c is m's lower triangle, mirrored into the upper one.
struct qr_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    const std::int64_t height = detail::rows_of(x[0]), width = detail::columns_of(x[0]);
    const value q = detail::rows(y, 0, height), r = detail::rows(y, height, width);
    const value of_q = detail::rows(g, 0, height), of_r = detail::upper_part(detail::rows(g, height, width));
    const value m = matmul(r, transpose_last(of_r)) - matmul(transpose_last(of_q), q);
    const value mirrored = detail::lower_part(m) + transpose_last(detail::below_diagonal(m));
    const value left = of_q + matmul(q, mirrored);
    return transpose_last(solve_triangular(r, transpose_last(left), {.upper = true}));
  }
  static constexpr operation op{"qr", matrix_kind::qr, jacobian::general, &cotangent_of};

  struct factors {
    value q, r;
  };
  /// Precondition: matrices of float or double whose extents are integers.
  static constexpr factors factors_of(value a) {
    const std::int64_t m = detail::rows_of(a), n = detail::columns_of(a);
    if (m < n) {  // of the first columns; the others are q times what stands behind r
      const auto columns = [&](std::int64_t begin, std::int64_t count) {
        return slice(a, a.rank() - 1, begin, 1, count);
      };
      const factors square = factors_of(columns(0, m));
      const value r[] = {square.r, matmul(transpose_last(square.q), columns(m, n - m))};
      return {square.q, concat(r, 2, a.rank() - 1)};
    }
    const value both = a.insert(detail::matrix_node(op, a, m + n, n));
    return {detail::rows(both, 0, m), detail::rows(both, m, n)};
  }
};

template <bool Q>
struct qr_statement {
  static constexpr std::string_view name = "qr";
  static constexpr int arity = 1;
  static constexpr value build(value a) {
    if (!detail::require_known_matrices(name, a)) return a;
    return detail::at_least_float(a, [](value x) {
      const qr_operation::factors f = qr_operation::factors_of(x);
      return Q ? f.q : f.r;
    });
  }
};

/// auto [q, r] = qr(a), in PyTorch's mode "reduced": q [.., m, k] has orthonormal columns, r [.., k, n] is
/// upper triangular, k is the smaller one of m and n, which are integers. Signs are LAPACK's. The derivative
/// takes the first k columns of a to be linearly independent, and is not finite where they are not.
/// @formula a = q r, q^T q = 1
/// @shapes floating [.., m, n] -> [.., m, k] and [.., k, n]
/// @errors linear_systems
/// @torch torch.linalg.qr
/// @jax jnp.linalg.qr
/// @given a = [[3, 1], [4, 2]]
/// @example auto [q, r] = tl::qr(a);
/// @gives q = [[-0.6, -0.8], [-0.8, 0.6]]
/// @gives r = [[-5, -2.2], [0, 0.4]]
TAPELESS_FACTORY auto qr(expression_operand auto a) {
  return std::make_tuple(make<qr_statement<true>>(a), make<qr_statement<false>>(a));
}

}  // namespace tapeless
