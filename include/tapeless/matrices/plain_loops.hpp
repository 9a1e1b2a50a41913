// SPDX-License-Identifier: BSL-1.0
// Functions of whole matrices in plain loops, which every machine can run.
#pragma once

#include <tapeless/matrices/matrix_spectra.hpp>

namespace tapeless::matrix_kernels {

/// Computes y of a, and of the right-hand side b where there is one.
template <matrix_kind Kind, class T>
constexpr void run_plain_loops(matrix<const T> a, [[maybe_unused]] matrix<const T> b, matrix<T> y,
                               std::int64_t rows, std::int64_t columns,
                               [[maybe_unused]] std::int64_t target_columns, [[maybe_unused]] triangle part) {
  if constexpr (Kind == matrix_kind::cholesky) cholesky(a, y, columns);
  if constexpr (Kind == matrix_kind::lu) lu(a, y, columns);
  if constexpr (Kind == matrix_kind::qr) qr(a, y, rows, columns);
  if constexpr (Kind == matrix_kind::eigh) eigh(a, y, columns);
  if constexpr (Kind == matrix_kind::svd) svd(a, y, rows, columns);
  if constexpr (Kind == matrix_kind::exponential) exponential(a, y, columns);
  if constexpr (Kind == matrix_kind::triangular_solve)
    solve_triangular(a, b, y, columns, target_columns, part.upper, part.unit);
}

}  // namespace tapeless::matrix_kernels
