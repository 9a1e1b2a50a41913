// SPDX-License-Identifier: BSL-1.0
// Matrix products, and those with a vector, by Eigen's innermost kernels: one for each element type, whatever
// the layers are.
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

// A block of b, or of a, as Eigen's kernel reads them. `stride` is from one contiguous line to the next.
template <class T, int Order>
void pack_b(T* block, const T* from, std::int64_t stride, std::int64_t depth, std::int64_t columns) {
  using traits = Eigen::internal::gebp_traits<T, T>;
  Eigen::internal::gemm_pack_lhs<T, Eigen::Index, constant_mapper<T, Order>, traits::mr, traits::LhsProgress,
                                 typename traits::LhsPacket4Packing, Order>()(
      block, constant_mapper<T, Order>(from, stride), depth, columns);
}
template <class T, int Order>
void pack_a(T* block, const T* from, std::int64_t stride, std::int64_t depth, std::int64_t rows) {
  Eigen::internal::gemm_pack_rhs<T, Eigen::Index, constant_mapper<T, Order>, register_block<T>::columns,
                                 Order>()(block, constant_mapper<T, Order>(from, stride), depth, rows);
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

/// What a product does with its operands' layouts. A vector's function is null where extents rule it out.
template <class T>
struct product_steps {
  using pack = void (*)(T* block, const T* from, std::int64_t stride, std::int64_t depth, std::int64_t lines);
  using times_vector = void (*)(const T* matrix, std::int64_t stride, const T* x, T* y, std::int64_t rows,
                                std::int64_t columns);
  bool rows_a, rows_b;  // whether rows are contiguous, else columns are
  pack pack_a, pack_b;
  times_vector one_row, one_column;  // of the result
};
template <class T, bool RowsA, bool RowsB, bool OneRow = true, bool OneColumn = true>
constexpr product_steps<T> product_steps_for() {
  constexpr int a = RowsA ? Eigen::RowMajor : Eigen::ColMajor,
                transposed_a = RowsA ? Eigen::ColMajor : Eigen::RowMajor,
                transposed_b = RowsB ? Eigen::ColMajor : Eigen::RowMajor;
  product_steps<T> steps{RowsA,   RowsB,  &detail::pack_a<T, transposed_a>, &detail::pack_b<T, transposed_b>,
                         nullptr, nullptr};
  if constexpr (OneRow) steps.one_row = &detail::matrix_times_vector<T, transposed_b>;  // c^T = b^T a^T
  if constexpr (OneColumn) steps.one_column = &detail::matrix_times_vector<T, a>;
  return steps;
}

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

namespace detail {

// c += a b with c's rows contiguous: c^T += b^T a^T, as Eigen's kernel wants its result by columns. lda and
// ldb are from one contiguous line to the next.
template <class T>
[[gnu::noinline]] void add_product(const matrix_view<T>& a, std::int64_t lda, const matrix_view<T>& b,
                                   std::int64_t ldb, T* c, std::int64_t ldc, std::int64_t m, std::int64_t n,
                                   std::int64_t k, std::byte* workspace, const product_steps<T>& steps) {
  using result = Eigen::internal::blas_data_mapper<T, Eigen::Index, Eigen::ColMajor, Eigen::Unaligned, 1>;
  Eigen::internal::gebp_kernel<T, T, Eigen::Index, result, register_block<T>::rows,
                               register_block<T>::columns, false, false>
      multiply_blocks;
  blocks<T> block(n, m, k);
  block.place(workspace);
  const bool all_of_a = block.kc() == k && block.nc() == m;  // is one block, which is packed once
  for (std::int64_t j = 0; j < n; j += block.mc()) {
    const std::int64_t columns = std::min(block.mc(), n - j);
    for (std::int64_t p = 0; p < k; p += block.kc()) {
      const std::int64_t depth = std::min(block.kc(), k - p);
      steps.pack_b(block.blockA(), b.data + p * b.row_stride + j * b.column_stride, ldb, depth, columns);
      for (std::int64_t i = 0; i < m; i += block.nc()) {
        const std::int64_t rows = std::min(block.nc(), m - i);
        if (!all_of_a || j == 0)
          steps.pack_a(block.blockB(), a.data + i * a.row_stride + p * a.column_stride, lda, depth, rows);
        multiply_blocks(result(c + i * ldc + j, ldc), block.blockA(), block.blockB(), columns, depth, rows,
                        T(1));
      }
    }
  }
}

}  // namespace detail

/// c (m x n, rows ldc elements apart) = a (m x k) b (k x n). Those of a and b may overlap.
template <class T>
[[gnu::always_inline]] inline void multiply(const matrix_view<T>& a, const matrix_view<T>& b, T* c,
                                            std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k,
                                            std::byte* workspace, const product_steps<T>& steps) {
  if (m == 0 || n == 0) return;
  if (k == 1 && b.column_stride == 1)
    return detail::outer_product(a.data, a.row_stride, b.data, c, ldc, m, n);
  // Along an axis of extent 1 the stride is free; Eigen wants it to be at least the other extent. Elsewhere
  // it is what it is: windows overlap.
  std::int64_t lda = steps.rows_a ? a.row_stride : a.column_stride,
               ldb = steps.rows_b ? b.row_stride : b.column_stride;
  if ((steps.rows_a ? m : k) == 1) lda = std::max(lda, steps.rows_a ? k : m);
  if ((steps.rows_b ? k : n) == 1) ldb = std::max(ldb, steps.rows_b ? n : k);
  if (m == 1 && steps.one_row != nullptr && a.column_stride == 1)
    return steps.one_row(b.data, ldb, a.data, c, n, k);
  if (n == 1 && steps.one_column != nullptr && b.row_stride == 1 && ldc == 1)
    return steps.one_column(a.data, lda, b.data, c, m, k);
  for (std::int64_t i = 0; i < m; ++i) std::fill(c + i * ldc, c + i * ldc + n, T(0));
  if (k > 0) detail::add_product(a, lda, b, ldb, c, ldc, m, n, k, workspace, steps);
}

}  // namespace tapeless::cpu_kernels
