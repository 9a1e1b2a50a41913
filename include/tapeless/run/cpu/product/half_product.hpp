// SPDX-License-Identifier: BSL-1.0
// Matrix products of elements of 16 bits: blocks of them become float, are multiplied and added up in float,
// and the sums are rounded once.
#pragma once

#include <algorithm>

#include <tapeless/graph/core/aligned.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/cpu/product/product.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

/// The blocks of a product that are in float at one time.
struct half_blocks {
  // Whole numbers of what stays together, so that a part's blocks may start elsewhere than the whole's.
  static constexpr std::int64_t most_rows = 256 / rows_together * rows_together,
                                most_columns = 512 / columns_together * columns_together;
  std::int64_t m, n, k;

  half_blocks(std::int64_t rows, std::int64_t columns, std::int64_t depth)
      : m(std::min(rows, most_rows)), n(std::min(columns, most_columns)), k(depth_of_block(depth)) {}
  std::int64_t a_bytes() const { return aligned(m * k); }
  std::int64_t b_bytes() const { return aligned(k * n); }
  std::int64_t c_bytes() const { return aligned(m * n); }

 private:
  static std::int64_t aligned(std::int64_t floats) { return tapeless::detail::aligned(floats * 4); }
};

// to (rows x columns, row by row) = the block of a matrix that starts at `from`.
template <class T>
void widen(const T* from, std::int64_t row_stride, std::int64_t column_stride, std::int64_t rows,
           std::int64_t columns, float* to) {
  if (column_stride == 1) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) to[i * columns + j] = from[i * row_stride + j];
  } else {
    for (std::int64_t j = 0; j < columns; ++j)
      for (std::int64_t i = 0; i < rows; ++i) to[i * columns + j] = from[i * row_stride + j * column_stride];
  }
}

}  // namespace detail

/// Bytes of workspace that a product of elements of 16 bits takes.
TAPELESS_COLD inline std::int64_t half_product_workspace(std::int64_t m, std::int64_t n, std::int64_t k) {
  const detail::half_blocks block(m, n, k);
  // Eigen may want more room for the last blocks along an axis, though they are smaller.
  const auto last = [](std::int64_t extent, std::int64_t size) {
    return extent > 0 ? (extent - 1) % size + 1 : 0;
  };
  std::int64_t packed = 0;
  for (const std::int64_t rows : {block.m, last(m, block.m)})
    for (const std::int64_t columns : {block.n, last(n, block.n)})
      for (const std::int64_t depth : {block.k, last(k, block.k)})
        packed = std::max(packed, product_workspace<float>(rows, columns, depth));
  return block.a_bytes() + block.b_bytes() + block.c_bytes() + packed;
}

/// c (m x n, rows ldc elements apart) = a (m x k) b (k x n).
template <class T>
void multiply_half(const matrix_view<T>& a, const matrix_view<T>& b, T* c, std::int64_t ldc, std::int64_t m,
                   std::int64_t n, std::int64_t k, std::byte* workspace) {
  constexpr product_steps<float> steps = product_steps_for<float, true, true, false, false>();
  const detail::half_blocks block(m, n, k);
  float* const wide_a = reinterpret_cast<float*>(workspace);
  float* const wide_b = reinterpret_cast<float*>(workspace + block.a_bytes());
  float* const sums = reinterpret_cast<float*>(workspace + block.a_bytes() + block.b_bytes());
  std::byte* const packed = workspace + block.a_bytes() + block.b_bytes() + block.c_bytes();
  for (std::int64_t j = 0; j < n; j += block.n)
    for (std::int64_t i = 0; i < m; i += block.m) {
      const std::int64_t rows = std::min(block.m, m - i), columns = std::min(block.n, n - j);
      if (k == 0) std::fill(sums, sums + rows * columns, 0.0f);
      for (std::int64_t l = 0; l < k; l += block.k) {
        const std::int64_t depth = std::min(block.k, k - l);
        detail::widen(a.data + i * a.row_stride + l * a.column_stride, a.row_stride, a.column_stride, rows,
                      depth, wide_a);
        detail::widen(b.data + l * b.row_stride + j * b.column_stride, b.row_stride, b.column_stride, depth,
                      columns, wide_b);
        detail::add_product<float>({wide_a, depth, 1}, {wide_b, columns, 1}, sums, columns, rows, columns,
                                   depth, packed, steps, l > 0);
      }
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
          c[(i + row) * ldc + j + column] = T(sums[row * columns + column]);
    }
}

}  // namespace tapeless::cpu_kernels
