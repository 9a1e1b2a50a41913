// SPDX-License-Identifier: BSL-1.0
// What one matrix of a batch takes on tl::cpu: the plain loops, or Eigen where it is large. Few programs have
// such operations, so their headers (ops/linalg/cholesky.hpp and its like) read it, and tapeless.hpp does
// not.
#pragma once

#include <tapeless/run/common/matrix_function.hpp>
#include <tapeless/run/cpu/families/cpu_matrix_function.hpp>
#include <tapeless/run/cpu/families/eigen_factors.hpp>
#include <tapeless/run/cpu/families/eigen_spectra.hpp>

namespace tapeless::cpu_kernels {

template <class T, matrix_kind Kind>
class matrix_work {
  using source = matrix_kernels::matrix<const T>;
  using target = matrix_kernels::matrix<T>;

 public:
  static void run(const matrix_function_arguments& arguments, std::int64_t number) {
    const int rank = arguments.rank;
    source a = first_matrix(reinterpret_cast<const T*>(arguments.source.data), arguments.source, rank);
    source b = first_matrix(reinterpret_cast<const T*>(arguments.index.data), arguments.index, rank);
    target y = first_matrix(reinterpret_cast<T*>(arguments.target.data), arguments.target, rank);
    for (int d = rank - 1; d >= 0; --d) {
      const std::int64_t position = number % arguments.extents[d];
      number /= arguments.extents[d];
      a.data += position * arguments.source.strides[d];
      if (b.data != nullptr) b.data += position * arguments.index.strides[d];
      y.data += position * arguments.target.strides[d];
    }
    if (!run_by_eigen(a, b, y, arguments))
      run_matrix_function<Kind, T>(a, b, y, arguments.rows, arguments.columns, arguments.target_columns,
                                   arguments.part);
  }

 private:
  /// False where the plain loops are to compute y.
  static bool run_by_eigen([[maybe_unused]] source a, [[maybe_unused]] source b, target y,
                           const matrix_function_arguments& arguments) {
    [[maybe_unused]] const std::int64_t n = arguments.columns;
    if (n < detail::least_columns(Kind) || !detail::has_whole_rows(y, arguments.target_columns)) return false;
    if constexpr (Kind == matrix_kind::cholesky) return detail::cholesky_by_eigen(a, y, n);
    if constexpr (Kind == matrix_kind::triangular_solve)
      return detail::solve_triangular_by_eigen(a, b, y, n, arguments.target_columns, arguments.part);
    if constexpr (Kind == matrix_kind::lu) return detail::lu_by_eigen(a, y, n);
    if constexpr (Kind == matrix_kind::qr) return detail::qr_by_eigen(a, y, arguments.rows, n);
    if constexpr (Kind == matrix_kind::eigh) return detail::eigh_by_eigen(a, y, n);
    if constexpr (Kind == matrix_kind::svd) return detail::svd_by_eigen(a, y, arguments.rows, n);
    return false;
  }
};

}  // namespace tapeless::cpu_kernels
