// SPDX-License-Identifier: BSL-1.0
// One matrix's work of a matrix function, wherever it runs.
#pragma once

#include <tapeless/plan/families/planned_matrix_function.hpp>
#include <tapeless/run/common/matrix_spectra.hpp>

namespace tapeless {

/// The matrices of an operand: where the first one is, and how its rows and columns go on.
template <class T>
constexpr matrix_kernels::matrix<T> first_matrix(T* data, const strided_operand& o, int batch_rank) {
  return {data, o.strides[batch_rank], o.strides[batch_rank + 1]};
}

/// Computes y of a, and of the right-hand side b where there is one.
template <matrix_kind Kind, class T>
constexpr void run_matrix_function(matrix_kernels::matrix<const T> a,
                                   [[maybe_unused]] matrix_kernels::matrix<const T> b,
                                   matrix_kernels::matrix<T> y, std::int64_t rows, std::int64_t columns,
                                   [[maybe_unused]] std::int64_t target_columns,
                                   [[maybe_unused]] triangle part) {
  if constexpr (Kind == matrix_kind::cholesky) matrix_kernels::cholesky(a, y, columns);
  if constexpr (Kind == matrix_kind::lu) matrix_kernels::lu(a, y, columns);
  if constexpr (Kind == matrix_kind::qr) matrix_kernels::qr(a, y, rows, columns);
  if constexpr (Kind == matrix_kind::eigh) matrix_kernels::eigh(a, y, columns);
  if constexpr (Kind == matrix_kind::svd) matrix_kernels::svd(a, y, rows, columns);
  if constexpr (Kind == matrix_kind::exponential) matrix_kernels::exponential(a, y, columns);
  if constexpr (Kind == matrix_kind::triangular_solve)
    matrix_kernels::solve_triangular(a, b, y, columns, target_columns, part.upper, part.unit);
}

}  // namespace tapeless
