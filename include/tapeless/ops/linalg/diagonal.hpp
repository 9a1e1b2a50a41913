// SPDX-License-Identifier: BSL-1.0
// diagonal(x): the elements of matrices whose row and column are equal.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

struct diagonal_statement {
  static constexpr std::string_view name = "diagonal";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int row = x.rank() - 2, column = x.rank() - 1;
    if (row < 0 || x.get().shape[row] != x.get().shape[column])
      return x.fail(detail::shape_sentence(name, x) << ": it takes [.., n, n]");
    const std::int64_t n = x.get().shape[row];
    shape_list shape = shape_of(x);
    if (extent_table::is_literal(n)) {
      // In a row of n n elements, each is n + 1 behind the one before.
      shape.extents[row] = n * n;
      shape.rank = column;
      return slice(reshape(x, shape), row, 0, n + 1, n);
    }
    const shape_list matrix{2, {n, n}};
    const value on =
        make_iota(*x.builder, matrix, 0, element::i64) == make_iota(*x.builder, matrix, 1, element::i64);
    return sum_operation::build(where(on, x, 0), 1u << column, false);
  }
};

/// [.., n, n] -> [.., n]: the elements x[.., i, i].
/// @formula y_i = x_ii
/// @shapes [.., n, n] -> [.., n]
/// @errors products
/// @torch torch.diagonal
/// @jax jnp.diagonal
/// @given x = [[1, 2], [3, 4]]
/// @gives tl::diagonal(x) = [1, 4]
constexpr value diagonal(is_value auto x) { return make<diagonal_statement>(x); }
TAPELESS_FACTORY auto diagonal(expression_operand auto x) { return make<diagonal_statement>(x); }

}  // namespace tapeless
