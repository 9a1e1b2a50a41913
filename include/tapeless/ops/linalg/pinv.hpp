// SPDX-License-Identifier: BSL-1.0
// pinv(a), lstsq(a, b): the pseudoinverse, and the least squares that it solves.
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

struct lstsq_statement {
  static constexpr std::string_view name = "lstsq";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    if (!detail::require_known_matrices(name, a)) return a;
    if (a.type() != b.type() || b.rank() == 0) return do_not_fit(a, b);
    if (is_half(a.type())) return cast(build(cast(a, element::f32), cast(b, element::f32)), a.type());
    // As PyTorch: b is vectors where it has a's axes without the last one.
    shape_list axes = shape_of(a);
    --axes.rank;
    const bool vectors = b.rank() == 1 || shape_of(b) == axes;
    value right = vectors ? detail::as_columns(b) : b, left = a;
    if (detail::rows_of(a) != detail::rows_of(right)) return do_not_fit(a, b);
    left = pinv_operation::build(a, pinv_operation::usual_rtol(a));
    if (!detail::share_batch(left, right)) return do_not_fit(a, b);
    const value x = matmul(left, right);
    shape_list s = shape_of(x);
    --s.rank;
    return vectors ? reshape(x, s) : x;
  }

 private:
  static constexpr value do_not_fit(value a, value b) {
    return detail::do_not_fit(name, {{"a", a}, {"b", b}},
                              "[.., m, n] and [.., m] or [.., m, k] of one floating type");
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

/// The x with the least |a x - b|, the smallest where there are several, as PyTorch's driver "gelsd" has it:
/// pinv(a) b, of vectors or matrices b as in solve. Only the solution: PyTorch's residuals, rank and singular
/// values are sum(square(a x - b)) and svdvals(a).
/// @formula x = pinv(a) b
/// @shapes floating [.., m, n] [.., m, k] -> [.., n, k]; [.., m, n] [.., m] -> [.., n]
/// @errors linear_systems
/// @torch torch.linalg.lstsq(a, b).solution
/// @jax jnp.linalg.lstsq
/// @given a = [[1, 0], [1, 1], [1, 2]]; b = [1, 2, 4]
/// @gives tl::lstsq(a, b) = [0.8333, 1.5]
template <class A, class B>
  requires value_operands<A, B>
constexpr value lstsq(A a, B b) {
  return make<lstsq_statement>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto lstsq(A a, B b) {
  return make<lstsq_statement>(a, b);
}

}  // namespace tapeless
