// SPDX-License-Identifier: BSL-1.0
// One matrix's work of a matrix function, wherever it runs.
#pragma once

#include <tapeless/plan/families/planned_matrix_function.hpp>
#include <tapeless/run/common/matrix_spectra.hpp>

namespace tapeless {

/// The matrices of an operand: where the first one is, and how its rows and columns go on.
template <class T>
constexpr matrices::matrix<T> first_matrix(T* data, const strided_operand& o, int batch_rank) {
  return {data, o.strides[batch_rank], o.strides[batch_rank + 1]};
}

/// Computes y of a, and of the right-hand side b where there is one.
template <matrix_kind Kind, class T>
constexpr void run_matrix_function(matrices::matrix<const T> a, [[maybe_unused]] matrices::matrix<const T> b,
                                   matrices::matrix<T> y, std::int64_t rows, std::int64_t columns,
                                   [[maybe_unused]] std::int64_t target_columns,
                                   [[maybe_unused]] triangle part) {
  if constexpr (Kind == matrix_kind::cholesky) matrices::cholesky(a, y, columns);
  if constexpr (Kind == matrix_kind::lu) matrices::lu(a, y, columns);
  if constexpr (Kind == matrix_kind::qr) matrices::qr(a, y, rows, columns);
  if constexpr (Kind == matrix_kind::eigh) matrices::eigh(a, y, columns);
  if constexpr (Kind == matrix_kind::svd) matrices::svd(a, y, rows, columns);
  if constexpr (Kind == matrix_kind::exponential) matrices::exponential(a, y, columns);
  if constexpr (Kind == matrix_kind::triangular_solve)
    matrices::solve_triangular(a, b, y, columns, target_columns, part.upper, part.unit);
}

}  // namespace tapeless
