// SPDX-License-Identifier: BSL-1.0
// A matrix in memory, and the name of what computes functions of whole ones.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/operation.hpp>
#include <tapeless/graph/structural/axis_attributes.hpp>

namespace tapeless::matrix_kernels {

/// A matrix in memory.
template <class T>
struct matrix {
  T* data = nullptr;
  std::int64_t row_step = 0, column_step = 0;

  constexpr T& operator()(std::int64_t row, std::int64_t column) const {
    return data[row * row_step + column * column_step];
  }
  /// What begins in this row.
  constexpr matrix from_row(std::int64_t row) const { return {data + row * row_step, row_step, column_step}; }
  constexpr matrix transposed() const { return {data, column_step, row_step}; }
};

/// One matrix's work on a CPU: run(a, b, y, rows, columns, target_columns, part) computes y of a, and of the
/// right-hand side b where there is one. The headers of operations that have such work read what it is,
/// matrices/matrix_work.hpp; tapeless.hpp does not.
template <class T, matrix_kind Kind>
class matrix_work;

}  // namespace tapeless::matrix_kernels
