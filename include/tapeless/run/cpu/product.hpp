// SPDX-License-Identifier: BSL-1.0
// The kernel family of matrix products, and of those with a vector, by Eigen: at most four instances for each
// element type, whatever the layers are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/cpu/eigen.hpp>
#include <tapeless/run/cpu/valid_lanes.hpp>

namespace tapeless::cpu_kernels {

/// A matrix in memory: its rows or its columns are contiguous.
template <class T>
struct matrix_view {
  const T* data;
  std::int64_t row_stride, column_stride;
};

namespace detail {

// Eigen's kernels are called below its expressions, which would compile each product for every special case,
// and would take packing buffers from the heap.
template <class T, int Order>
using constant_mapper = Eigen::internal::const_blas_data_mapper<T, Eigen::Index, Order>;

/// So many rows and columns of Eigen's results its kernels have in registers: what is left over is added up
/// by others, in another order. Eigen's results are ours, transposed.
template <class T>
struct register_block {
  using traits = Eigen::internal::gebp_traits<T, T>;
  static constexpr Eigen::Index rows = traits::mr, columns = traits::nr;
};

/// Eigen's block sizes for a product, in memory of ours. Those of rows and columns are whole numbers of its
/// kernels' blocks, and that of the depth does not depend on the other extents: so a part of a result that
/// starts at a multiple of the kernels' blocks gets the bits that it has in the whole.
template <class T>
class blocks : public Eigen::internal::level3_blocking<T, T> {
 public:
  blocks(Eigen::Index rows, Eigen::Index columns, Eigen::Index depth) {
    this->m_mc = rows;
    this->m_nc = columns;
    this->m_kc = depth;
    if (rows > 0 && columns > 0 && depth > 0)  // Eigen divides by them
      Eigen::internal::computeProductBlockingSizes<T, T>(this->m_kc, this->m_mc, this->m_nc, Eigen::Index(1));
    this->m_mc = whole_blocks(this->m_mc, register_block<T>::rows, rows);
    this->m_nc = whole_blocks(this->m_nc, register_block<T>::columns, columns);
  }
  std::int64_t bytes_of_a() const { return aligned(this->m_mc * this->m_kc); }
  std::int64_t bytes_of_b() const { return aligned(this->m_kc * this->m_nc); }
  void place(std::byte* workspace) {
    this->m_blockA = reinterpret_cast<T*>(workspace);
    this->m_blockB = reinterpret_cast<T*>(workspace + bytes_of_a());
  }

 private:
  static Eigen::Index whole_blocks(Eigen::Index size, Eigen::Index block, Eigen::Index all) {
    return size >= all ? all : std::min(std::max(size - size % block, block), all);
  }
  static std::int64_t aligned(Eigen::Index count) {
    return (count * static_cast<Eigen::Index>(sizeof(T)) + 63) / 64 * 64;
  }
};

// c += a b with c's rows contiguous: c^T += b^T a^T, as Eigen's kernel wants its result by columns.
template <class T, bool RowsA, bool RowsB>
void add_product(const matrix_view<T>& a, const matrix_view<T>& b, T* c, std::int64_t ldc, std::int64_t m,
                 std::int64_t n, std::int64_t k, std::byte* workspace) {
  constexpr int left = RowsB ? Eigen::ColMajor : Eigen::RowMajor,
                right = RowsA ? Eigen::ColMajor : Eigen::RowMajor;
  blocks<T> sizes(n, m, k);
  sizes.place(workspace);
  Eigen::internal::general_matrix_matrix_product<Eigen::Index, T, left, false, T, right, false,
                                                 Eigen::ColMajor, 1>::run(n, m, k, b.data,
                                                                          RowsB ? b.row_stride
                                                                                : b.column_stride,
                                                                          a.data,
                                                                          RowsA ? a.row_stride
                                                                                : a.column_stride,
                                                                          c, 1, ldc, T(1), sizes, nullptr);
}

// c = a b of a column and a row: each row of c is b, times one number.
template <class T>
void outer_product(const T* a, std::int64_t stride, const T* b, T* c, std::int64_t ldc, std::int64_t m,
                   std::int64_t n) {
  constexpr std::int64_t width = packet_size<T>;
  for (std::int64_t i = 0; i < m; ++i) {
    const T factor = a[i * stride];
    const wide<T> factors = splat(factor);
    T* row = c + i * ldc;
    std::int64_t j = 0;
    for (; j + width <= n; j += width) store(row + j, factors * load(b + j));
    if constexpr (masks_memory<T>) {
      if (j == n) continue;
      const valid_lanes<T> rest(n - j);
      store(row + j, factors * load(b + j, rest), rest);
    } else {
      for (; j < n; ++j) row[j] = factor * b[j];
    }
  }
}

// y (rows) = matrix (rows x columns) x
template <class T, int Order>
void matrix_times_vector(const T* matrix, std::int64_t stride, const T* x, T* y, std::int64_t rows,
                         std::int64_t columns) {
  std::fill(y, y + rows, T(0));
  constexpr int other = Order == Eigen::RowMajor ? Eigen::ColMajor : Eigen::RowMajor;
  Eigen::internal::general_matrix_vector_product<Eigen::Index, T, constant_mapper<T, Order>, Order, false, T,
                                                 constant_mapper<T, other>,
                                                 false>::run(rows, columns,
                                                             constant_mapper<T, Order>(matrix, stride),
                                                             constant_mapper<T, other>(x, 1), y, 1, T(1));
}

}  // namespace detail

/// Rows and columns of a product that stay together where it is split: a part has some whole ones of them,
/// the last part what is left over as well. Each element gets the same bits then, whatever the parts are.
inline constexpr std::int64_t rows_together = std::lcm(16, std::lcm(detail::register_block<float>::columns,
                                                                    detail::register_block<double>::columns)),
                              columns_together = std::lcm(16, std::lcm(detail::register_block<float>::rows,
                                                                       detail::register_block<double>::rows));

/// Bytes of workspace that a product takes.
template <class T>
std::int64_t product_workspace(std::int64_t m, std::int64_t n, std::int64_t k) {
  const detail::blocks<T> sizes(n, m, k);
  return sizes.bytes_of_a() + sizes.bytes_of_b();
}

/// c (m x n, rows ldc elements apart) = a (m x k) b (k x n). RowsA: a's rows are contiguous, else its
/// columns are. Those of a and b may overlap.
template <class T, bool RowsA, bool RowsB>
void multiply(matrix_view<T> a, matrix_view<T> b, T* c, std::int64_t ldc, std::int64_t m, std::int64_t n,
              std::int64_t k, std::byte* workspace) {
  constexpr int by_row = Eigen::RowMajor, by_column = Eigen::ColMajor;
  // Along an axis of extent 1 the stride is free; Eigen wants it to be at least the other extent. Elsewhere
  // it is what it is: windows overlap.
  if (RowsA && m == 1) a.row_stride = std::max(a.row_stride, k);
  if (RowsB && k == 1) b.row_stride = std::max(b.row_stride, n);
  if (!RowsA && k == 1) a.column_stride = std::max(a.column_stride, m);
  if (!RowsB && n == 1) b.column_stride = std::max(b.column_stride, k);
  if (m == 0 || n == 0) return;
  if (k == 1 && b.column_stride == 1)
    return detail::outer_product(a.data, a.row_stride, b.data, c, ldc, m, n);
  if (m == 1 && a.column_stride == 1)  // c^T = b^T a^T
    return detail::matrix_times_vector<T, RowsB ? by_column : by_row>(
        b.data, RowsB ? b.row_stride : b.column_stride, a.data, c, n, k);
  if (n == 1 && b.row_stride == 1 && ldc == 1)
    return detail::matrix_times_vector<T, RowsA ? by_row : by_column>(
        a.data, RowsA ? a.row_stride : a.column_stride, b.data, c, m, k);
  for (std::int64_t i = 0; i < m; ++i) std::fill(c + i * ldc, c + i * ldc + n, T(0));
  if (k > 0) detail::add_product<T, RowsA, RowsB>(a, b, c, ldc, m, n, k, workspace);
}

}  // namespace tapeless::cpu_kernels
