// SPDX-License-Identifier: BSL-1.0
// cond(a), cond(a, order<1>): the condition number of matrices.
#pragma once

#include <tapeless/ops/linalg/inverse.hpp>
#include <tapeless/ops/linalg/matrix_norm.hpp>

namespace tapeless {

template <detail::matrix_norm_kind Kind, double Order>
struct cond_statement {
  static constexpr std::string_view name = "cond";
  static constexpr int arity = 1;
  static constexpr text refusal() { return detail::refused_matrix_norm(name, Kind, Order); }
  static constexpr value build(value a) {
    constexpr bool of_singular_values =
        Kind == detail::matrix_norm_kind::by_order && (Order == 2 || Order == -2);
    if constexpr (of_singular_values) {
      if (!detail::require_known_matrices(name, a)) return a;
      return detail::at_least_float(a, [](value x) {
        const value s = svdvals_operation::build(x);
        const auto place = [&](std::int64_t i) {
          shape_list shape = shape_of(s);
          --shape.rank;
          return reshape(slice(s, s.rank() - 1, i, 1, 1), shape);
        };
        const value first = place(0), last = place(s.get().shape[s.rank() - 1] - 1);
        return Order > 0 ? first / last : last / first;
      });
    } else {
      if (!detail::require_square(name, a)) return a;
      return detail::at_least_float(a, [](value x) {
        using norm = matrix_norm_operation<Kind, Order>;
        const value pivots = diagonal(detail::lu_square(lu_operation::factors_of(x)));
        const value zeros = sum_operation::build(
            where(pivots == 0.0, make_constant(*x.builder, 1, x.type()), 0.0), 1u << (x.rank() - 2), false);
        const value product = norm::build(x, 0, false) * norm::build(inverse(x), 0, false);
        return where(zeros == 0.0, product, infinity);
      });
    }
  }
};

/// The condition number of matrices, their largest singular value over the smallest: infinite where they are
/// singular. Behind a, as in matrix_norm: another norm's, |a| |a^-1| of square matrices; with order<-2> the
/// smallest singular value over the largest.
/// @formula y = s_max / s_min; order<P>, frobenius and nuclear: |a|_P |a^-1|_P
/// @shapes floating [.., m, n] -> [..]
/// @errors linear_systems orders_and_types
/// @torch torch.linalg.cond
/// @jax jnp.linalg.cond
/// @given a = [[3, 0], [0, -0.5]]
/// @gives tl::cond(a) = 6
/// @gives tl::cond(a, tl::order<1>) = 6
template <expression_operand A, matrix_norm_option... Options>
TAPELESS_FACTORY auto cond(A a, Options...) {
  constexpr detail::matrix_norm_options o =
      detail::matrix_norm_options_of<Options...>({.kind = detail::matrix_norm_kind::by_order});
  static_assert(!o.keep, "tapeless: cond leaves no axes that keep_dims would keep");
  return make<cond_statement<o.kind, o.order>>(a);
}

}  // namespace tapeless
