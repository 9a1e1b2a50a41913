// SPDX-License-Identifier: BSL-1.0
// matrix_norm(x), matrix_norm(x, order<1>), matrix_norm(x, nuclear): norms of matrices.
#pragma once

#include <tapeless/ops/linalg/svd.hpp>
#include <tapeless/ops/reduction/norm.hpp>

namespace tapeless {

/// Passed to matrix_norm and cond in an order's place: the root of the squares' sum, and the sum of the
/// singular values.
struct frobenius_t {};
inline constexpr frobenius_t frobenius;
struct nuclear_t {};
inline constexpr nuclear_t nuclear;

namespace detail {

enum class matrix_norm_kind : std::uint8_t { frobenius, nuclear, by_order };

struct matrix_norm_options {
  double order = 2;
  matrix_norm_kind kind = matrix_norm_kind::frobenius;
  bool keep = false;
};

constexpr void set_option(matrix_norm_options& o, keep_dims_t) { o.keep = true; }
constexpr void set_option(matrix_norm_options& o, frobenius_t) { o.kind = matrix_norm_kind::frobenius; }
constexpr void set_option(matrix_norm_options& o, nuclear_t) { o.kind = matrix_norm_kind::nuclear; }
template <auto P>
constexpr void set_option(matrix_norm_options& o, order_t<P>) {
  o.order = static_cast<double>(P);
  o.kind = matrix_norm_kind::by_order;
}

template <class... Options>
constexpr matrix_norm_options matrix_norm_options_of(matrix_norm_options o) {
  (set_option(o, Options{}), ...);
  return o;
}

constexpr text refused_matrix_norm(std::string_view op, matrix_norm_kind kind, double order) {
  const double size = order < 0 ? -order : order;
  return unless_fits(kind != matrix_norm_kind::by_order || size == 1 || size == 2 || size == infinity, op,
                     "the orders 1, -1, 2, -2, infinity and -infinity, tl::frobenius or tl::nuclear", order);
}

}  // namespace detail

/// What matrix_norm and cond take behind their operand.
template <class X>
concept matrix_norm_option = norm_option<X> || std::same_as<X, frobenius_t> || std::same_as<X, nuclear_t>;

template <detail::matrix_norm_kind Kind, double Order>
struct matrix_norm_operation {
  static constexpr std::string_view name = "matrix_norm";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr text refusal() { return detail::refused_matrix_norm(name, Kind, Order); }
  static constexpr value build(value x, unsigned, bool keep) {
    if (x.rank() < 2) return x.fail(detail::shape_sentence(name, x) << ": it takes [.., rows, columns]");
    const unsigned row = 1u << (x.rank() - 2), column = row << 1, both = row | column;
    if constexpr (Kind == detail::matrix_norm_kind::frobenius) {
      return norm_operation<2.0>::build(x, both, keep);
    } else if constexpr (Kind == detail::matrix_norm_kind::nuclear || Order == 2 || Order == -2) {
      if (!detail::require_known_matrices(name, x)) return x;
      return detail::at_least_float(x, [&](value a) {
        const value y = of_singular_values(svdvals_operation::build(a), row);
        return keep ? reshape(y, sum_operation::keep_dims_shape(a, both)) : y;
      });
    } else {
      constexpr bool of_columns = Order == 1 || Order == -1, largest = Order > 0;
      const value sums = sum_operation::build(abs(x), of_columns ? row : column, true);
      if constexpr (largest) return detail::largest_size(sums, both, keep);
      return min_reduction_operation::build(sums, both, keep);
    }
  }

 private:
  static constexpr value of_singular_values(value s, unsigned last) {
    if constexpr (Kind == detail::matrix_norm_kind::nuclear) return sum_operation::build(s, last, false);
    if constexpr (Order > 0) return max_reduction_operation::build(s, last, false);
    return min_reduction_operation::build(s, last, false);
  }
};

/// Frobenius' norm of matrices, the root of the sum of their squares: x [.., rows, columns] -> [..]. Behind
/// x may stand, in any order:
///   order<1>, order<-1>                the largest, the smallest sum of |x| down a column
///   order<infinity>, order<-infinity>  the largest, the smallest sum of |x| along a row
///   order<2>, order<-2>                the largest, the smallest singular value
///   nuclear                            the sum of the singular values
///   keep_dims                          both axes stay with extent 1
/// Singular values are of matrices whose extents are integers.
/// @formula y = sqrt(sum_ij x_ij^2); order<1>: max_j sum_i |x_ij|; order<infinity>: max_i sum_j |x_ij|
/// @shapes floating [.., rows, columns] -> [..]
/// @errors orders_and_types
/// @torch torch.linalg.matrix_norm
/// @jax jnp.linalg.matrix_norm
/// @given x = [[3, 4], [0, -12]]
/// @gives tl::matrix_norm(x) = 13
/// @gives tl::matrix_norm(x, tl::order<1>) = 16
/// @gives tl::matrix_norm(x, tl::order<tl::infinity>) = 12
/// @gives tl::matrix_norm(x, tl::order<2>) = 12.69
/// @gives tl::matrix_norm(x, tl::nuclear) = 15.52
template <reduction_operand X, matrix_norm_option... Options>
TAPELESS_FACTORY auto matrix_norm(X x, Options...) {
  constexpr detail::matrix_norm_options o = detail::matrix_norm_options_of<Options...>({});
  return make<reduction_statement<matrix_norm_operation<o.kind, o.order>, o.keep>>(x);
}

}  // namespace tapeless
