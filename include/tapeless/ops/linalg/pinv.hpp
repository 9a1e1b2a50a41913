// SPDX-License-Identifier: BSL-1.0
// pinv(a): the pseudoinverse.
#pragma once

#include <algorithm>

#include <tapeless/ops/linalg/svd.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>

namespace tapeless {

/// An alias of the pseudoinverse y by singular values, with the operand a. The cotangent of a is
/// -y^T g y^T + (1 - a y) g^T y y^T + y^T y g^T (1 - y a) (Golub and Pereyra, 1973): no singular vector is
/// differentiated.
struct pinv_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    if (k != 1) return {};
    const value yt = transpose_last(y), gt = transpose_last(g);
    const value first = matmul(gt, matmul(y, yt)), second = matmul(matmul(yt, y), gt);
    return (first - matmul(x[1], matmul(y, first))) + (second - matmul(matmul(second, y), x[1])) -
           matmul(yt, matmul(g, yt));
  }
  static constexpr operation op{"pinv", family::alias, jacobian::general, &cotangent_of};

  /// Singular values up to rtol times the largest one count as 0. Precondition: matrices of float or double
  /// whose extents are integers.
  static constexpr value build(value a, double rtol) {
    const svd_operation::parts p = svd_operation::build(a);
    const value largest = max_reduction_operation::build(p.s, 1u << (p.s.rank() - 1), true);
    const value counts = p.s > rtol * largest;
    const value inverted = where(counts, 1.0 / where(counts, p.s, 1.0), 0.0);
    return detail::alias_of(op, matmul(p.v * detail::as_rows(inverted), transpose_last(p.u)), a);
  }
  /// What PyTorch takes where nothing is given.
  static constexpr double usual_rtol(value a) {
    const double epsilon = a.type() == element::f64 ? 0x1p-52 : 0x1p-23;
    return epsilon * static_cast<double>(std::max(detail::rows_of(a), detail::columns_of(a)));
  }
};

template <double Rtol>
struct pinv_statement {
  static constexpr std::string_view name = "pinv";
  static constexpr int arity = 1;
  static constexpr value build(value a) {
    if (!detail::require_known_matrices(name, a)) return a;
    return detail::at_least_float(
        a, [](value x) { return pinv_operation::build(x, Rtol < 0 ? pinv_operation::usual_rtol(x) : Rtol); });
  }
};

/// The pseudoinverse: of all x with the least |a x - 1|, the smallest. Singular values up to Rtol times the
/// largest one count as 0; Rtol is the larger extent times the type's epsilon where none is given. The
/// derivative is the one where the rank does not change. The extents of the matrices are integers.
/// @formula a = u diag(s) v^T, y = v diag(1/s) u^T
/// @shapes floating [.., m, n] -> [.., n, m]
/// @errors linear_systems
/// @torch torch.linalg.pinv
/// @jax jnp.linalg.pinv
/// @given a = [[1, 0], [0, 2], [0, 0]]
/// @gives tl::pinv(a) = [[1, 0, 0], [0, 0.5, 0]]
template <double Rtol = -1.0>
constexpr value pinv(is_value auto a) {
  return make<pinv_statement<Rtol>>(a);
}
template <double Rtol = -1.0>
TAPELESS_FACTORY auto pinv(expression_operand auto a) {
  return make<pinv_statement<Rtol>>(a);
}

}  // namespace tapeless
