// SPDX-License-Identifier: BSL-1.0
// det(a), slogdet(a), logdet(a): determinants and their logarithms.
#pragma once

#include <tuple>

#include <tapeless/ops/linalg/lu.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/sign.hpp>
#include <tapeless/ops/reduction/prod.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

namespace detail {

/// Vectors as matrices over which a pointwise operation goes along: [..] as [.., 1, 1].
constexpr value as_matrices(value x) { return as_columns(as_columns(x)); }

/// 1 or -1: each pair of rows that lu has in the other order changes the sign.
constexpr value sign_of_permutation(value factors) {
  const value at = one_row(factors, columns_of(factors));
  const value turned = 1.0 - 2.0 * below_diagonal(cast(as_columns(at) < as_rows(at), at.type()));
  return prod_operation::build(turned, 3u << (turned.rank() - 2), false);
}
constexpr value lu_diagonal(value factors) { return diagonal(lu_square(factors)); }
constexpr value over_last(value x) { return sum_operation::build(x, 1u << (x.rank() - 1), false); }

}  // namespace detail

/// Aliases, whose operand 1 is a. Det: of the determinant y, g y a^-T. Otherwise of log |y|: g a^-T.
template <bool Det>
struct determinant_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    if (k != 1) return {};
    const value inverse = solve_by_lu(x[1], detail::identity_matrices(x[1]), true);
    return detail::as_matrices(Det ? g * y : g) * inverse;
  }
  static constexpr operation op{Det ? "det" : "slogdet", family::alias, jacobian::general, &cotangent_of};

  static constexpr value build(value a) {
    const value factors = lu_operation::factors_of(a), u = detail::lu_diagonal(factors);
    if (!Det) return detail::alias_of(op, detail::over_last(log(abs(u))), a);
    const value product = prod_operation::build(u, 1u << (u.rank() - 1), false);
    return detail::alias_of(op, detail::sign_of_permutation(factors) * product, a);
  }
  static constexpr value sign_of(value a) {
    const value factors = lu_operation::factors_of(a), u = sign(detail::lu_diagonal(factors));
    return detail::sign_of_permutation(factors) * prod_operation::build(u, 1u << (u.rank() - 1), false);
  }
};

enum class determinant { itself, sign, log_of_size, log };

template <determinant What>
struct determinant_statement {
  static constexpr std::string_view name = What == determinant::itself ? "det"
                                           : What == determinant::log  ? "logdet"
                                                                       : "slogdet";
  static constexpr int arity = 1;
  static constexpr value build(value a) {
    if (!detail::require_square(name, a)) return a;
    return detail::at_least_float(a, [](value x) {
      if (What == determinant::itself) return determinant_operation<true>::build(x);
      if (What == determinant::sign) return determinant_operation<false>::sign_of(x);
      const value size = determinant_operation<false>::build(x);
      // the logarithm of 1 adds nothing, that of -1 makes NaN
      return What == determinant::log ? size + log(determinant_operation<false>::sign_of(x)) : size;
    });
  }
};

/// The determinant of square matrices. Its derivative is made with the inverse: where a is singular, it is
/// not finite.
/// @formula y = det a; dy/da = y a^-T
/// @shapes floating [.., n, n] -> [..]
/// @errors linear_systems
/// @torch torch.linalg.det
/// @jax jnp.linalg.det
/// @given a = [[1, 2], [3, 4]]
/// @gives tl::det(a) = -2
constexpr value det(is_value auto a) { return make<determinant_statement<determinant::itself>>(a); }
TAPELESS_FACTORY auto det(expression_operand auto a) {
  return make<determinant_statement<determinant::itself>>(a);
}

/// auto [s, l] = slogdet(a): the determinant's sign, 1, -1 or 0, and the logarithm of its size, -infinity
/// where a is singular. Neither overflows.
/// @formula s = sign(det a), l = log |det a|; dl/da = a^-T
/// @shapes floating [.., n, n] -> [..] and [..]
/// @errors linear_systems
/// @torch torch.linalg.slogdet
/// @jax jnp.linalg.slogdet
/// @given a = [[1, 2], [3, 4]]
/// @example auto [s, l] = tl::slogdet(a);
/// @gives s = -1
/// @gives l = 0.6931
TAPELESS_FACTORY auto slogdet(expression_operand auto a) {
  return std::make_tuple(make<determinant_statement<determinant::sign>>(a),
                         make<determinant_statement<determinant::log_of_size>>(a));
}

/// The logarithm of the determinant: -infinity where it is 0, NaN where it is negative.
/// @formula y = log(det a); dy/da = a^-T
/// @shapes floating [.., n, n] -> [..]
/// @errors linear_systems
/// @torch torch.logdet
/// @jax none
/// @given a = [[2, 1], [1, 3]]
/// @gives tl::logdet(a) = 1.609
constexpr value logdet(is_value auto a) { return make<determinant_statement<determinant::log>>(a); }
TAPELESS_FACTORY auto logdet(expression_operand auto a) {
  return make<determinant_statement<determinant::log>>(a);
}

}  // namespace tapeless
