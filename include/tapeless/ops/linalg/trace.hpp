// SPDX-License-Identifier: BSL-1.0
// trace(x): the sum of a matrix's diagonal.
#pragma once

#include <tapeless/ops/linalg/matrix_operands.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

struct trace_statement {
  static constexpr std::string_view name = "trace";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (!detail::require_kind(name, x, element_kind::numbers)) return x;
    if (x.rank() < 2) return x.fail(detail::shape_sentence(name, x) << ": it takes [.., m, n]");
    const std::int64_t m = detail::rows_of(x), n = detail::columns_of(x);
    if (m == n) return sum_operation::build(diagonal(x), 1u << (x.rank() - 2), false);
    const shape_list matrix{2, {m, n}};
    const value on =
        make_iota(*x.builder, matrix, 0, element::i64) == make_iota(*x.builder, matrix, 1, element::i64);
    return sum_operation::build(where(on, x, 0), 3u << (x.rank() - 2), false);
  }
};

/// The sums of the elements x[.., i, i].
/// @formula y = sum_i x_ii
/// @shapes numbers [.., m, n] -> [..]
/// @errors axes_and_counts
/// @torch torch.trace
/// @jax jnp.trace
/// @given x = [[1, 2], [3, 4]]
/// @gives tl::trace(x) = 5
constexpr value trace(is_value auto x) { return make<trace_statement>(x); }
TAPELESS_FACTORY auto trace(expression_operand auto x) { return make<trace_statement>(x); }

}  // namespace tapeless
