// SPDX-License-Identifier: BSL-1.0
// The kernel family of functions of whole matrices: factors, solutions of triangular systems, exponentials.
#pragma once

#include <tapeless/plan/families/planned_axis_loop.hpp>

namespace tapeless {

/// The loops are those of the batch; behind their strides an operand has that of its rows, and that of its
/// columns. `index` is the right-hand side of a triangular system.
struct matrix_function_arguments : axis_loop_arguments {
  std::int64_t rows = 0, columns = 0;  // of the source
  std::int64_t target_columns = 0;
  triangle part = {};
};

/// What its kernels are told apart by.
struct matrix_function_key {
  matrix_kind computes;
  element type;
};

/// target(.., :, :) = f(source(.., :, :)), as matrix_kind has it; all operands have the batch's axes.
struct planned_matrix_function {
  static constexpr family kind = family::matrix_function;
  static constexpr std::string_view label = "matrix function";
  static constexpr bool has_expansion = false;
  static constexpr operand_layout layout = operand_layout::memory;
  static constexpr int operands = 3;
  using arguments = matrix_function_arguments;
  using key = matrix_function_key;

  matrix_kind computes = matrix_kind::cholesky;
  element type = element::f32;
  int rank = 0;  // of the batch
  std::int64_t extents[max_rank] = {};
  std::int64_t rows = 0, columns = 0, target_rows = 0, target_columns = 0;
  triangle part = {};
  access source = {}, right = {}, result = {};

  static constexpr planned_matrix_function make(graph& g, int id) {
    const node& n = g.nodes[id];
    const node& of = g.nodes[n.operands[0]];
    planned_matrix_function p{.computes = n.op->as<matrix_kind>(), .type = n.type, .rank = n.rank - 2};
    for (int d = 0; d < p.rank; ++d) p.extents[d] = n.shape[d];
    p.rows = of.shape[p.rank];
    p.columns = of.shape[p.rank + 1];
    p.target_rows = n.shape[p.rank];
    p.target_columns = n.shape[p.rank + 1];
    p.part = triangle_of(n);
    resolve(g, n.operands[0], p.source);
    resolve(g, id, p.result);
    if (n.operand_count == 2) resolve(g, n.operands[1], p.right);
    return p;
  }

  constexpr key kernel_key() const { return {computes, type}; }
  template <class F>
  constexpr void for_each_source(F f) const {
    f(source);
    if (right.base >= 0) f(right);
  }
  constexpr const access& target() const { return result; }
  template <class Launch>
  void launch(matrix_function_arguments& launched, Launch& at) const {
    launched.rank = rank;
    for (int d = 0; d < rank; ++d) launched.extents[d] = at.extent(extents[d]);
    launched.rows = at.extent(rows);
    launched.columns = at.extent(columns);
    launched.target_columns = at.extent(target_columns);
    launched.part = part;
    at.place(source, type, launched.source, rank + 2);
    if (right.base >= 0) at.place(right, type, launched.index, rank + 2);
    at.place(result, type, launched.target, rank + 2);
  }
};

}  // namespace tapeless
