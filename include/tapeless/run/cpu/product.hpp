// SPDX-License-Identifier: BSL-1.0
// The kernel family of matrix products, and of those with a vector, by Eigen: at most four instances for each
// element type, whatever the layers are.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tapeless/graph/node.hpp>

namespace tapeless::cpu_kernels {

/// An operand of a batch of products: its strides by batch axis, then of its rows and columns, in elements.
struct product_operand {
  std::byte* data = nullptr;
  std::int64_t strides[max_rank] = {};
};

/// c = a b for each member of the batch: [m, k] [k, n] -> [m, n].
struct product_call {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t ldc = 0;  // from one row of c to the next
  int batch_rank = 0;
  std::int64_t batches = 1;
  std::int64_t batch[max_rank] = {};
  product_operand a = {}, b = {}, c = {};
};

/// A matrix in memory: its rows or its columns are side by side.
template <class T>
struct matrix_view {
  T* data;
  std::int64_t row_stride, column_stride;
};

namespace detail {

template <class T, int Order>
using strided_map =
    Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Order>, 0, Eigen::OuterStride<>>;
template <class T>
using row_map =
    Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0, Eigen::OuterStride<>>;

// Eigen takes its packing buffers from the stack up to EIGEN_STACK_ALLOCATION_LIMIT (128 KiB), and from the
// heap beyond: within blocks of these extents a product never allocates.
template <class T>
inline constexpr std::int64_t block_depth = 128 * 4 / static_cast<std::int64_t>(sizeof(T));
inline constexpr std::int64_t block_side = 256;

// c (m x n, rows side by side) += a b, in blocks
template <class T, int OrderA, int OrderB>
void add_product(const matrix_view<const T>& a, const matrix_view<const T>& b, T* c, std::int64_t ldc,
                 std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t lda = OrderA == Eigen::RowMajor ? a.row_stride : a.column_stride;
  const std::int64_t ldb = OrderB == Eigen::RowMajor ? b.row_stride : b.column_stride;
  for (std::int64_t i = 0; i < m; i += block_side)
    for (std::int64_t p = 0; p < k; p += block_depth<T>)
      for (std::int64_t j = 0; j < n; j += block_side) {
        const std::int64_t rows = std::min(block_side, m - i), columns = std::min(block_side, n - j),
                           depth = std::min(block_depth<T>, k - p);
        row_map<T>(c + i * ldc + j, rows, columns, Eigen::OuterStride<>(ldc)).noalias() +=
            strided_map<T, OrderA>(a.data + i * a.row_stride + p * a.column_stride, rows, depth,
                                   Eigen::OuterStride<>(lda)) *
            strided_map<T, OrderB>(b.data + p * b.row_stride + j * b.column_stride, depth, columns,
                                   Eigen::OuterStride<>(ldb));
      }
}

template <class T>
using vector_map = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>>;
template <class T>
using constant_vector_map = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>;

// c = a b of a column and a row: each row of c is b, times one number.
template <class T>
void outer_product(const T* a, std::int64_t stride, const T* b, T* c, std::int64_t ldc, std::int64_t m,
                   std::int64_t n) {
  for (std::int64_t i = 0; i < m; ++i)
    vector_map<T>(c + i * ldc, n) = a[i * stride] * constant_vector_map<T>(b, n);
}

// y (rows) = matrix (rows x columns) x
template <class T, int Order>
void matrix_times_vector(const T* matrix, std::int64_t stride, const T* x, T* y, std::int64_t rows,
                         std::int64_t columns) {
  vector_map<T>(y, rows).noalias() =
      strided_map<T, Order>(matrix, rows, columns, Eigen::OuterStride<>(stride)) *
      constant_vector_map<T>(x, columns);
}

}  // namespace detail

/// c (m x n, rows ldc elements apart) = a (m x k) b (k x n). RowsA: a's rows are side by side, else its
/// columns are.
template <class T, bool RowsA, bool RowsB>
void multiply(matrix_view<const T> a, matrix_view<const T> b, T* c, std::int64_t ldc, std::int64_t m,
              std::int64_t n, std::int64_t k) {
  constexpr int by_row = Eigen::RowMajor, by_column = Eigen::ColMajor;
  // Along an axis of extent 1 the stride is free; Eigen wants it to be at least the other extent.
  if (RowsA && a.row_stride < k) a.row_stride = k;
  if (RowsB && b.row_stride < n) b.row_stride = n;
  if (!RowsA && a.column_stride < m) a.column_stride = m;
  if (!RowsB && b.column_stride < k) b.column_stride = k;
  if (k == 1 && b.column_stride == 1)
    return detail::outer_product(a.data, a.row_stride, b.data, c, ldc, m, n);
  if (m == 1 && a.column_stride == 1)  // c^T = b^T a^T
    return detail::matrix_times_vector<T, RowsB ? by_column : by_row>(
        b.data, RowsB ? b.row_stride : b.column_stride, a.data, c, n, k);
  if (n == 1 && b.row_stride == 1 && ldc == 1)
    return detail::matrix_times_vector<T, RowsA ? by_row : by_column>(
        a.data, RowsA ? a.row_stride : a.column_stride, b.data, c, m, k);
  for (std::int64_t i = 0; i < m; ++i) std::fill(c + i * ldc, c + i * ldc + n, T(0));
  detail::add_product<T, RowsA ? by_row : by_column, RowsB ? by_row : by_column>(a, b, c, ldc, m, n, k);
}

template <class T, bool RowsA, bool RowsB>
struct product_kernel {
  static void run(const product_call& p) {
    const int row = p.batch_rank, column = row + 1;
    for (std::int64_t number = 0; number < p.batches; ++number) {
      std::int64_t a = 0, b = 0, c = 0, rest = number;
      for (int d = p.batch_rank - 1; d >= 0; --d) {
        const std::int64_t index = rest % p.batch[d];
        rest /= p.batch[d];
        a += index * p.a.strides[d];
        b += index * p.b.strides[d];
        c += index * p.c.strides[d];
      }
      multiply<T, RowsA, RowsB>(
          {reinterpret_cast<const T*>(p.a.data) + a, p.a.strides[row], p.a.strides[column]},
          {reinterpret_cast<const T*>(p.b.data) + b, p.b.strides[row], p.b.strides[column]},
          reinterpret_cast<T*>(p.c.data) + c, p.ldc, p.m, p.n, p.k);
    }
  }
};

}  // namespace tapeless::cpu_kernels
