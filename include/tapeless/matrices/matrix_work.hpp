// SPDX-License-Identifier: BSL-1.0
// What one matrix takes on a CPU: the plain loops, or Eigen where it is large. Few programs have such
// operations, so their headers (ops/linalg/cholesky.hpp and its like) read it, and tapeless.hpp does not.
#pragma once

#include <tapeless/matrices/eigen_factors.hpp>
#include <tapeless/matrices/eigen_spectra.hpp>
#include <tapeless/matrices/plain_loops.hpp>

namespace tapeless::matrix_kernels {

template <class T, matrix_kind Kind>
class matrix_work {
 public:
  static void run(matrix<const T> a, matrix<const T> b, matrix<T> y, std::int64_t rows, std::int64_t columns,
                  std::int64_t target_columns, triangle part) {
    if (columns >= least_columns(Kind) && has_whole_rows(y, target_columns) &&
        run_by_eigen(a, b, y, rows, columns, target_columns, part))
      return;
    run_plain_loops<Kind, T>(a, b, y, rows, columns, target_columns, part);
  }

 private:
  /// False where the plain loops are to compute y.
  static bool run_by_eigen([[maybe_unused]] matrix<const T> a, [[maybe_unused]] matrix<const T> b,
                           [[maybe_unused]] matrix<T> y, [[maybe_unused]] std::int64_t m,
                           [[maybe_unused]] std::int64_t n, [[maybe_unused]] std::int64_t target_columns,
                           [[maybe_unused]] triangle part) {
    if constexpr (Kind == matrix_kind::cholesky) return cholesky_by_eigen(a, y, n);
    if constexpr (Kind == matrix_kind::triangular_solve)
      return solve_triangular_by_eigen(a, b, y, n, target_columns, part);
    if constexpr (Kind == matrix_kind::lu) return lu_by_eigen(a, y, n);
    if constexpr (Kind == matrix_kind::qr) return qr_by_eigen(a, y, m, n);
    if constexpr (Kind == matrix_kind::eigh) return eigh_by_eigen(a, y, n);
    if constexpr (Kind == matrix_kind::svd) return svd_by_eigen(a, y, m, n);
    return false;
  }
};

}  // namespace tapeless::matrix_kernels
