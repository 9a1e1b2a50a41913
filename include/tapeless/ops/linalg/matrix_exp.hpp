// SPDX-License-Identifier: BSL-1.0
// matrix_exp(a): the exponential of square matrices.
#pragma once

#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/linalg/matrix_operands.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/shape/concat.hpp>

namespace tapeless {

/// The derivative of e^a along e: linear in e.
constexpr value matrix_exp_along(value a, value e);

/// e^a, below it the kernel's memory.
struct matrix_exp_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value) {
    return matrix_exp_along(transpose_last(x[0]), detail::rows(g, 0, detail::rows_of(x[0])));
  }
  static constexpr operation op{"matrix_exp", matrix_kind::exponential, jacobian::general, &cotangent_of};

  /// Precondition: square matrices of float or double.
  static constexpr value of(value a) {
    const std::int64_t n = detail::rows_of(a);
    return detail::rows(a.insert(detail::matrix_node(op, a, a.builder->extents.multiply(3, n), n)), 0, n);
  }
};

/// An alias of the upper right corner of the exponential of [[a, e], [0, a]] (Mathias, 1996), with the
/// operands a and e. Its own derivative by a is that of the larger exponential.
struct matrix_exp_along_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value) {
    if (k == 0) return {};
    if (k == 2) return matrix_exp_along(transpose_last(x[1]), g);
    const value zero = zero_like(g), size = size_of(x[1], x[2]);
    const value both = matrix_exp_along(transpose_last(block(x[1], x[2] / size, x[1])), block(zero, g, zero));
    const std::int64_t n = detail::rows_of(x[1]);
    return (corner(both, 0, 0, n) + corner(both, n, n, n)) * size;
  }
  static constexpr operation op{"matrix_exp", family::alias, jacobian::general, &cotangent_of};

  static constexpr value build(value a, value e) {
    const std::int64_t n = detail::rows_of(a);
    const value size = size_of(a, e);
    const value y = corner(matrix_exp_operation::of(block(a, e / size, a)), 0, n, n) * size;
    return detail::alias_of(op, y, a, e);
  }

 private:
  /// What e is divided by in front of the exponential, which halves its matrix until it is small: beside a
  /// large e nothing would be left of a. 1 where e is no larger than a, or than 1.
  static constexpr value size_of(value a, value e) {
    const auto largest = [](value x) {
      return max_reduction_operation::build(abs(x), 3u << (x.rank() - 2), true);
    };
    return stop_gradient(max(largest(e) / max(largest(a), 1.0), 1.0));
  }
  static constexpr value zero_like(value x) {
    return expand(make_constant(*x.builder, 0, x.type()), shape_of(x));
  }
  /// [[a, b], [0, c]]
  static constexpr value block(value a, value b, value c) {
    const int row = a.rank() - 2, column = a.rank() - 1;
    const value above[] = {a, b}, below[] = {zero_like(a), c};
    const value both[] = {concat(above, 2, column), concat(below, 2, column)};
    return concat(both, 2, row);
  }
  static constexpr value corner(value x, std::int64_t row, std::int64_t column, std::int64_t n) {
    return slice(detail::rows(x, row, n), x.rank() - 1, column, 1, n);
  }
};

constexpr value matrix_exp_along(value a, value e) { return matrix_exp_along_operation::build(a, e); }

struct matrix_exp_statement {
  static constexpr std::string_view name = "matrix_exp";
  static constexpr int arity = 1;
  static constexpr value build(value a) {
    return detail::require_square(name, a) ? detail::at_least_float(a, matrix_exp_operation::of) : a;
  }
};

/// The exponential of square matrices; NaN where a is not finite.
/// @formula y = 1 + a + a^2 / 2! + a^3 / 3! + ...
/// @shapes floating [.., n, n] -> [.., n, n]
/// @errors linear_systems
/// @torch torch.linalg.matrix_exp
/// @jax jax.scipy.linalg.expm
/// @given a = [[0, 1], [0, 0]]
/// @gives tl::matrix_exp(a) = [[1, 1], [0, 1]]
constexpr value matrix_exp(is_value auto a) { return make<matrix_exp_statement>(a); }
TAPELESS_FACTORY auto matrix_exp(expression_operand auto a) { return make<matrix_exp_statement>(a); }

}  // namespace tapeless
