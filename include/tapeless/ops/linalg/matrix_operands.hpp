// SPDX-License-Identifier: BSL-1.0
// What functions of whole matrices share: what they take, and the parts that their formulas are made of.
#pragma once

#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/element_kind.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/linalg/diagonal.hpp>
#include <tapeless/ops/linalg/identity_matrix.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/linalg/triangle.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/less_equal.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/pad.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/slice.hpp>

// What tl::cpu computes them by, which tapeless.hpp does not have.
#if __has_include(<Eigen/Core>)
#include <tapeless/matrices/matrix_work.hpp>
#endif

namespace tapeless::detail {

constexpr std::int64_t rows_of(value x) { return x.get().shape[x.rank() - 2]; }
constexpr std::int64_t columns_of(value x) { return x.get().shape[x.rank() - 1]; }

/// x's batch of matrices of another shape.
constexpr shape_list matrices_like(value x, std::int64_t rows, std::int64_t columns) {
  shape_list s = shape_of(x);
  s.extents[s.rank - 2] = rows;
  s.extents[s.rank - 1] = columns;
  return s;
}

/// Whether x is matrices of floating-point numbers; an error where it is not.
constexpr bool require_matrices(std::string_view op, value x) {
  if (!require_kind(op, x, element_kind::floating)) return false;
  if (x.rank() < 2) x.fail(shape_sentence(op, x) << ": it takes [.., m, n]");
  return x.rank() >= 2;
}
constexpr bool require_square(std::string_view op, value x) {
  if (!require_kind(op, x, element_kind::floating)) return false;
  const bool square = x.rank() >= 2 && rows_of(x) == columns_of(x);
  if (!square) x.fail(shape_sentence(op, x) << ": it takes [.., n, n]");
  return square;
}
/// The same for an operation that must know which one of the extents is the larger one.
constexpr bool require_known_matrices(std::string_view op, value x) {
  if (!require_matrices(op, x)) return false;
  const bool known = extent_table::is_literal(rows_of(x)) && extent_table::is_literal(columns_of(x));
  if (!known) x.fail(shape_sentence(op, x) << ": the extents of its matrices must be integers");
  return known;
}

/// The node of a kernel whose result has so many rows and columns.
constexpr node matrix_node(const operation& op, value x, std::int64_t rows, std::int64_t columns) {
  return unary_node(op, x, matrices_like(x, rows, columns));
}

/// An alias of y, whose derivative is that of a formula in x, and in `more` where it is given.
constexpr value alias_of(const operation& op, value y, value x, value more = {}) {
  node n = unary_node(op, y, shape_of(y));
  n.operands[n.operand_count++] = x.id;
  if (more.exists()) n.operands[n.operand_count++] = more.id;
  return y.insert(n);
}

/// `count` of x's rows.
constexpr value rows(value x, std::int64_t begin, std::int64_t count) {
  return slice(x, x.rank() - 2, begin, 1, count);
}
/// One row of each matrix, as a vector: [.., n].
constexpr value one_row(value x, std::int64_t row) {
  shape_list s = shape_of(x);
  s.extents[s.rank - 2] = s.extents[s.rank - 1];
  --s.rank;
  return reshape(rows(x, row, 1), s);
}
/// Vectors [.., n] as matrices of one row, and of one column.
constexpr value as_rows(value x) {
  shape_list s = shape_of(x);
  s.extents[s.rank] = s.extents[s.rank - 1];
  s.extents[s.rank++ - 1] = 1;
  return reshape(x, s);
}
constexpr value as_columns(value x) {
  shape_list s = shape_of(x);
  s.extents[s.rank++] = 1;
  return reshape(x, s);
}

/// Where spectra [.., n] have the same number, in rows and columns, but for what a kernel's rounding leaves
/// between equal ones: measured up to n = 256, at most 12 + n / 2 units of the largest one's last place.
constexpr value equal_pairs(value spectra) {
  const value row = as_rows(spectra), units = make_size(*spectra.builder, columns_of(row)) * 0.5 + 16.0;
  const value largest = max_reduction_operation::build(abs(row), 1u << (row.rank() - 1), true);
  return abs(row - as_columns(spectra)) <=
         units * (spectra.type() == element::f64 ? 0x1p-52 : 0x1p-23) * largest;
}

/// Identity matrices of x's rows and type, in x's batch.
constexpr value identity_matrices(value x) {
  return expand(identity_matrix(*x.builder, rows_of(x), x.type()), matrices_like(x, rows_of(x), rows_of(x)));
}

constexpr value lower_part(value x) { return triangle_statement<true, 0>::build(x); }
constexpr value below_diagonal(value x) { return triangle_statement<true, -1>::build(x); }
constexpr value upper_part(value x) { return triangle_statement<false, 0>::build(x); }

/// The batch that both have by broadcasting; false where their batches do not fit.
constexpr bool share_batch(value& a, value& b) {
  shape_list left = shape_of(a), right = shape_of(b), batch;
  left.rank -= 2;
  right.rank -= 2;
  if (!broadcast(left, right, batch)) return false;
  const auto with_batch = [&](value x) {
    shape_list s = batch;
    s.extents[s.rank++] = rows_of(x);
    s.extents[s.rank++] = columns_of(x);
    return expand(x, s);
  };
  a = with_batch(a);
  b = with_batch(b);
  return true;
}

/// solution(a, b) of matrices b, and of vectors as matrices of one column; it returns no value where their
/// batches do not fit. As PyTorch: b is vectors where it has a's axes without the last one.
template <class Solution>
constexpr value solution_of(std::string_view op, std::string_view taken, value a, value b,
                            Solution solution) {
  const auto misfit = [&] { return do_not_fit(op, {{"a", a}, {"b", b}}, taken); };
  if (a.type() != b.type() || b.rank() == 0) return misfit();
  if (is_half(a.type()))
    return cast(solution_of(op, taken, cast(a, element::f32), cast(b, element::f32), solution), a.type());
  shape_list axes = shape_of(a);
  --axes.rank;
  const bool vectors = b.rank() == 1 || shape_of(b) == axes;
  const value right = vectors ? as_columns(b) : b;
  if (rows_of(a) != rows_of(right)) return misfit();
  const value x = solution(a, right);
  if (!x.exists()) return misfit();
  shape_list s = shape_of(x);
  --s.rank;
  return vectors ? reshape(x, s) : x;
}

}  // namespace tapeless::detail
