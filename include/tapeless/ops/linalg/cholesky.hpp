// SPDX-License-Identifier: BSL-1.0
// cholesky(a): the lower triangle l with a = l l^T.
#pragma once

#include <tapeless/ops/linalg/solve_triangular.hpp>

// The factors of tl::cpu.
#if __has_include(<Eigen/Cholesky>)
#include <Eigen/Cholesky>
#endif

namespace tapeless {

/// The cotangent of a is l^-T p l^-1 made symmetric, where p is the lower triangle of l^T g with half its
/// diagonal.
struct cholesky_operation {
  static constexpr std::string_view name = "cholesky";
  static constexpr int arity = 1;

  static constexpr value cotangent_of(int, value g, const value*, value l) {
    const value lt = transpose_last(l), full = matmul(lt, g);
    const value p = 0.5 * (detail::lower_part(full) + detail::below_diagonal(full));
    const value left = solve_triangular(lt, p, {.upper = true});
    const value both = solve_triangular(lt, transpose_last(left), {.upper = true});
    return 0.5 * (both + transpose_last(both));
  }
  static constexpr operation op{name, matrix_kind::cholesky, jacobian::general, &cotangent_of};

  static constexpr value build(value a) {
    if (!detail::require_square(name, a)) return a;
    return detail::at_least_float(a, [](value x) {
      return x.insert(detail::matrix_node(op, x, detail::rows_of(x), detail::rows_of(x)));
    });
  }
};

/// The lower triangle l with a = l l^T, of symmetric positive definite matrices, of which the lower triangle
/// is looked at. Where a is not positive definite, all of its l is NaN. The derivative is that along
/// symmetric matrices.
/// @formula a = l l^T
/// @shapes floating [.., n, n] -> [.., n, n]
/// @errors linear_systems
/// @torch torch.linalg.cholesky
/// @jax jnp.linalg.cholesky
/// @given a = [[4, 2], [2, 5]]
/// @gives tl::cholesky(a) = [[2, 0], [1, 2]]
constexpr value cholesky(is_value auto a) { return make<cholesky_operation>(a); }
TAPELESS_FACTORY auto cholesky(expression_operand auto a) { return make<cholesky_operation>(a); }

}  // namespace tapeless
