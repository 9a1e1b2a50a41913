// SPDX-License-Identifier: BSL-1.0
// matrix_norm(x), matrix_norm(x, order<1>): norms of matrices.
#pragma once

#include <tapeless/ops/reduction/norm.hpp>

namespace tapeless {

/// The Frobenius norm, and those that the norms of orders 1 and infinity of vectors induce; the axes are the
/// last two, rows and columns.
template <double Order, bool Frobenius>
struct matrix_norm_operation {
  static constexpr std::string_view name = "matrix_norm";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr value build(value x, unsigned, bool keep) {
    if (x.rank() < 2) return x.fail(detail::shape_sentence(name, x) << ": it takes [.., rows, columns]");
    const unsigned row = 1u << (x.rank() - 2), column = row << 1;
    if constexpr (Frobenius) {
      return norm_operation<2.0>::build(x, row | column, keep);
    } else {
      static_assert(
          Order == 1 || Order == -1 || Order == infinity || Order == -infinity,
          "tapeless: matrix_norm takes the orders 1, -1, infinity and -infinity, and without one it is "
          "Frobenius' norm; orders 2 and -2 and the nuclear norm are made of singular values");
      constexpr bool of_columns = Order == 1 || Order == -1, largest = Order > 0;
      const value sums = sum_operation::build(abs(x), of_columns ? row : column, true);
      const unsigned both = row | column;
      if constexpr (largest) return max_reduction_operation::build(sums, both, keep);
      return min_reduction_operation::build(sums, both, keep);
    }
  }
};

/// Frobenius' norm of matrices, the root of the sum of their squares: x [.., rows, columns] -> [..]. Behind
/// x, in any order: order<1> (order<-1>), the largest (smallest) sum of |x| down a column, order<infinity>
/// (order<-infinity>), the largest (smallest) sum along a row; and keep_dims, with which both axes stay with
/// extent 1.
/// @formula y = sqrt(sum_ij x_ij^2); order<1>: max_j sum_i |x_ij|; order<infinity>: max_i sum_j |x_ij|
/// @shapes floating [.., rows, columns] -> [..]
/// @errors matrix_norm
/// @torch torch.linalg.matrix_norm
/// @jax jnp.linalg.matrix_norm
/// @given x = [[3, 4], [0, -12]]
/// @gives tl::matrix_norm(x) = 13
/// @gives tl::matrix_norm(x, tl::order<1>) = 16
/// @gives tl::matrix_norm(x, tl::order<tl::infinity>) = 12
template <reduction_operand X, norm_option... Options>
TAPELESS_FACTORY auto matrix_norm(X x, Options...) {
  constexpr detail::reduction_options o = detail::options_of<Options...>();
  constexpr bool frobenius = ((std::is_same_v<Options, keep_dims_t>) && ...);
  return make<reduction_statement<matrix_norm_operation<o.order, frobenius>, o.keep>>(x);
}

}  // namespace tapeless
