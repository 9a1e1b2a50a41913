// SPDX-License-Identifier: BSL-1.0
// diagonal(x), diagonal<offset>(x): the elements of matrices whose row and column are equal, or an offset
// apart.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

template <std::int64_t Offset>
struct diagonal_statement {
  static constexpr std::string_view name = "diagonal";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int row = x.rank() - 2, column = x.rank() - 1;
    if (row < 0) return x.fail(detail::shape_sentence(name, x) << ": it takes [.., m, n]");
    const std::int64_t m = x.get().shape[row], n = x.get().shape[column];
    shape_list shape = shape_of(x);
    if (extent_table::is_literal(m) && extent_table::is_literal(n)) {
      const std::int64_t right = Offset < 0 ? n : n - Offset, down = Offset < 0 ? m + Offset : m;
      const std::int64_t count = right < down ? right : down, begin = Offset < 0 ? -Offset * n : Offset;
      if (count < 0) return x.fail(detail::shape_sentence(name, x) << ": it has no diagonal " << Offset);
      // In a row of m n elements, each is n + 1 behind the one before.
      shape.extents[row] = m * n;
      shape.rank = column;
      return slice(reshape(x, shape), row, 0 < count ? begin : 0, n + 1, count);
    }
    if (m != n || Offset != 0)
      return x.fail(detail::shape_sentence(name, x) << ": it takes [.., n, n], or known extents");
    const shape_list matrix{2, {n, n}};
    const value on =
        make_iota(*x.builder, matrix, 0, element::i64) == make_iota(*x.builder, matrix, 1, element::i64);
    return sum_operation::build(where(on, x, 0), 1u << column, false);
  }
};

/// The elements x[.., i, i] of the last two axes; with an Offset x[.., i, i + Offset], for one below 0 x[..,
/// i - Offset, i]. Where an extent is a run-time one, both are the same and the Offset is 0.
/// @formula y_i = x_(i, i + Offset)
/// @shapes [.., m, n] -> [.., k], as many as there are
/// @errors products
/// @torch torch.diagonal
/// @jax jnp.diagonal
/// @given x = [[1, 2], [3, 4]]
/// @gives tl::diagonal(x) = [1, 4]
/// @gives tl::diagonal<1>(x) = [2]
template <std::int64_t Offset = 0>
constexpr value diagonal(is_value auto x) {
  return make<diagonal_statement<Offset>>(x);
}
template <std::int64_t Offset = 0>
TAPELESS_FACTORY auto diagonal(expression_operand auto x) {
  return make<diagonal_statement<Offset>>(x);
}

}  // namespace tapeless
