// SPDX-License-Identifier: BSL-1.0
// tril<d>(x), triu<d>(x): the parts of matrices below and above a diagonal.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

template <bool Lower, int Diagonal>
struct triangle_statement {
  static constexpr std::string_view name = Lower ? "tril" : "triu";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (x.rank() < 2) return x.fail(detail::shape_sentence(name, x) << ": it takes [.., m, n]");
    const shape_list shape = shape_of(x),
                     matrix{2, {shape.extents[shape.rank - 2], shape.extents[shape.rank - 1]}};
    const value row = make_iota(*x.builder, matrix, 0, element::i64),
                column = make_iota(*x.builder, matrix, 1, element::i64);
    // On the diagonal, column = row + Diagonal; what is added stays positive.
    const value left = Diagonal < 0 ? column + -Diagonal : column,
                right = Diagonal > 0 ? row + Diagonal : row;
    return where(Lower ? left <= right : left >= right, x, 0);
  }
};

/// x with zeros above the diagonal: [.., m, n], keeps what has column <= row + Diagonal.
/// @formula y_ij = x_ij for j <= i + Diagonal, else 0
/// @shapes [.., m, n] -> [.., m, n]
/// @errors products
/// @torch torch.tril
/// @jax jnp.tril
/// @given x = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
/// @gives tl::tril(x) = [[1, 0, 0], [4, 5, 0], [7, 8, 9]]
template <int Diagonal = 0>
constexpr value tril(is_value auto x) {
  return make<triangle_statement<true, Diagonal>>(x);
}
template <int Diagonal = 0>
TAPELESS_FACTORY auto tril(expression_operand auto x) {
  return make<triangle_statement<true, Diagonal>>(x);
}

/// x with zeros below the diagonal: [.., m, n], keeps what has column >= row + Diagonal.
/// @formula y_ij = x_ij for j >= i + Diagonal, else 0
/// @shapes [.., m, n] -> [.., m, n]
/// @errors products
/// @torch torch.triu
/// @jax jnp.triu
/// @given x = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
/// @gives tl::triu<1>(x) = [[0, 2, 3], [0, 0, 6], [0, 0, 0]]
template <int Diagonal = 0>
constexpr value triu(is_value auto x) {
  return make<triangle_statement<false, Diagonal>>(x);
}
template <int Diagonal = 0>
TAPELESS_FACTORY auto triu(expression_operand auto x) {
  return make<triangle_statement<false, Diagonal>>(x);
}

}  // namespace tapeless
