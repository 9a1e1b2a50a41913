// SPDX-License-Identifier: BSL-1.0
// Products by a BLAS, where the CMake option TAPELESS_BLAS names one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <tapeless/run/cpu/product/product_tiles.hpp>

#ifdef TAPELESS_HAS_BLAS
// As Eigen declares them, too.
extern "C" {
int sgemm_(const char*, const char*, const int*, const int*, const int*, const float*, const float*,
           const int*, const float*, const int*, const float*, float*, const int*);
int dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
           const int*, const double*, const int*, const double*, double*, const int*);
}
#endif

namespace tapeless::cpu_kernels {

inline constexpr bool has_blas =
#ifdef TAPELESS_HAS_BLAS
    true;
#else
    false;
#endif

#ifdef TAPELESS_HAS_BLAS
/// c (m x n, rows ldc elements apart) (+)= a (m x k) b (k x n), where a BLAS can: false where extents are too
/// large for its int, or where lines overlap. rows_a, rows_b: whether rows are contiguous, else columns are.
template <class T>
bool multiply_by_blas(const matrix_view<T>& a, bool rows_a, const matrix_view<T>& b, bool rows_b, T* c,
                      std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k, bool adds) {
  const std::int64_t line_a = rows_a ? k : m, line_b = rows_b ? n : k;
  std::int64_t lda = rows_a ? a.row_stride : a.column_stride, ldb = rows_b ? b.row_stride : b.column_stride;
  if ((rows_a ? m : k) == 1) lda = line_a;  // there is no next line
  if ((rows_b ? k : n) == 1) ldb = line_b;
  const std::int64_t largest = std::max({m, n, k, lda, ldb, ldc});
  if (lda < line_a || ldb < line_b || largest > std::numeric_limits<int>::max()) return false;
  // By columns, as a BLAS reads matrices: c^T = b^T a^T.
  const char left = rows_b ? 'N' : 'T', right = rows_a ? 'N' : 'T';
  const T one = 1, before = adds ? T(1) : T(0);
  const auto as_int = [](std::int64_t x) { return static_cast<int>(x); };
  const int rows = as_int(n), columns = as_int(m), depth = as_int(k), left_line = as_int(ldb),
            right_line = as_int(lda), result_line = as_int(ldc);
  if constexpr (std::is_same_v<T, float>)
    sgemm_(&left, &right, &rows, &columns, &depth, &one, b.data, &left_line, a.data, &right_line, &before, c,
           &result_line);
  else
    dgemm_(&left, &right, &rows, &columns, &depth, &one, b.data, &left_line, a.data, &right_line, &before, c,
           &result_line);
  return true;
}
#endif

}  // namespace tapeless::cpu_kernels
