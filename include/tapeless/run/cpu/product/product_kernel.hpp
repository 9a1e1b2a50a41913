// SPDX-License-Identifier: BSL-1.0
// What a product is called with, and its kernel: a batch of matrix products, one after the other.
#pragma once

#include <tapeless/graph/core/element.hpp>
#include <tapeless/run/cpu/product/half_product.hpp>

namespace tapeless::cpu_kernels {

/// Calls f with the operands of each product of the batch.
template <class T, class F>
void for_each_product(const product_arguments& p, F f) {
  const int row = p.batch_rank, column = row + 1;
  for (std::int64_t number = 0; number < p.batches; ++number) {
    std::int64_t a = 0, b = 0, c = 0, rest = p.first_batch + number;
    for (int d = p.batch_rank - 1; d >= 0; --d) {
      const std::int64_t index = rest % p.batch[d];
      rest /= p.batch[d];
      a += index * p.a.strides[d];
      b += index * p.b.strides[d];
      c += index * p.c.strides[d];
    }
    const matrix_view<T> left{reinterpret_cast<const T*>(p.a.data) + a, p.a.strides[row],
                              p.a.strides[column]};
    const matrix_view<T> right{reinterpret_cast<const T*>(p.b.data) + b, p.b.strides[row],
                               p.b.strides[column]};
    f(left, right, reinterpret_cast<T*>(p.c.data) + c);
  }
}

template <class T>
void run_product(const product_arguments& p, std::byte* workspace, const product_steps<T>& steps) {
  // Much of what small networks do: no loop over a batch, and no look at more than this takes.
  const T* const x = reinterpret_cast<const T*>(p.a.data);
  T* const y = reinterpret_cast<T*>(p.c.data);
  if (p.batch_rank == 0 && p.m == 1 && p.n > 1 && p.a.strides[1] == 1) {
    if (p.packed_b != nullptr)
      return row_times_matrix(reinterpret_cast<const T*>(p.packed_b), detail::in_whole_vectors<T>(p.n), x, y,
                              p.n, p.k, false);
    if (steps.one_row != nullptr && p.k > 0)
      return steps.one_row(reinterpret_cast<const T*>(p.b.data), p.b.strides[steps.rows_b ? 0 : 1], x, y, p.n,
                           p.k, p.is_part);
  }
  if (p.batch_rank == 0 && p.n == 1 && p.ldc == 1 && p.m > 1 && p.k > 0 && p.b.strides[0] == 1 &&
      steps.one_column != nullptr)
    return steps.one_column(x, p.a.strides[steps.rows_a ? 0 : 1], reinterpret_cast<const T*>(p.b.data), y,
                            p.m, p.k, p.is_part);
  if (p.batch_rank == 0 && p.k == 1 && p.b.strides[1] == 1)
    return detail::outer_product(x, p.a.strides[0], reinterpret_cast<const T*>(p.b.data), y, p.ldc, p.m, p.n);
  for_each_product<T>(p, [&](const matrix_view<T>& a, const matrix_view<T>& b, T* c) {
    multiply(a, b, c, p.ldc, p.m, p.n, p.k, workspace, steps, reinterpret_cast<const T*>(p.packed_b),
             p.is_part);
  });
}

/// Packs the right operand of one product to memory that is kept while a loop runs; where `to` is null,
/// returns how many bytes that takes, 0 for none.
template <class T>
std::int64_t pack_right(const product_arguments& p, const product_steps<T>& steps, std::byte* to) {
  const std::int64_t row = p.b.strides[p.batch_rank], column = p.b.strides[p.batch_rank + 1];
  if (to == nullptr)
    return p.batches != 1 ? 0
                          : packed_elements(steps, {p.m, p.n, p.k, p.a.strides[p.batch_rank],
                                                    p.a.strides[p.batch_rank + 1], row, column}) *
                                static_cast<std::int64_t>(sizeof(T));
  steps.pack_b(reinterpret_cast<T*>(to), reinterpret_cast<const T*>(p.b.data), steps.rows_b ? row : column,
               p.k, p.n, p.m == 1 && p.a.strides[p.batch_rank + 1] == 1);
  return 0;
}

/// RowsA, RowsB: whether the operands' rows are contiguous, else their columns are. OneRow, OneColumn:
/// whether the results may have no more than that.
template <class T, bool RowsA, bool RowsB, bool OneRow = true, bool OneColumn = true>
struct product_kernel {
  static std::int64_t pack(const product_arguments& p, std::byte* to) {
    if constexpr (is_half(element_of<T>)) {
      return 0;
    } else {
      static constexpr product_steps<T> steps = product_steps_for<T, RowsA, RowsB, OneRow, OneColumn>();
      return pack_right(p, steps, to);
    }
  }
  static void run(const product_arguments& p, std::byte* workspace) {
    if constexpr (is_half(element_of<T>)) {
      for_each_product<T>(p, [&](const matrix_view<T>& a, const matrix_view<T>& b, T* c) {
        multiply_half(a, b, c, p.ldc, p.m, p.n, p.k, workspace);
      });
    } else {
      static constexpr product_steps<T> steps = product_steps_for<T, RowsA, RowsB, OneRow, OneColumn>();
      run_product(p, workspace, steps);
    }
  }
};

/// Products that always are of one kind: programs which have no others compile no tiles.
enum class vector_product {
  none,    // of any extents
  outer,   // of a column and a row
  row,     // of a row and a matrix
  column,  // of a matrix and a column
};

/// Rows: whether the matrix's rows are contiguous, else its columns are. The vectors' elements are
/// contiguous, but for the column of an outer product.
template <class T, vector_product Kind, bool Rows>
struct vector_product_kernel {
  static void run(const product_arguments& p, std::byte*) {
    if (p.m == 0 || p.n == 0) return;
    for_each_product<T>(p, [&](const matrix_view<T>& a, const matrix_view<T>& b, T* c) {
      if (p.k == 0) return detail::clear(c, p.ldc, p.m, p.n);
      if constexpr (Kind == vector_product::outer) {
        detail::outer_product(a.data, a.row_stride, b.data, c, p.ldc, p.m, p.n);
      } else {
        constexpr bool is_row = Kind == vector_product::row;
        if (p.m == 1 && p.n == 1 && a.column_stride == 1 && b.row_stride == 1)
          return row_times_columns(b.data, p.k, a.data, c, p.n, p.k, false);
        const matrix_view<T>& matrix = is_row ? b : a;
        const T* const x = is_row ? a.data : b.data;
        const std::int64_t stride = Rows ? matrix.row_stride : matrix.column_stride;
        if constexpr (is_row == Rows) {  // c^T = b^T a^T
          row_times_matrix(matrix.data, stride, x, c, is_row ? p.n : p.m, p.k, p.is_part);
        } else if constexpr (is_row) {
          row_times_columns(matrix.data, stride, x, c, p.n, p.k, false);
        } else {
          matrix_times_column(matrix.data, stride, x, c, p.m, p.k, false);
        }
      }
    });
  }
  static std::int64_t workspace(std::int64_t, std::int64_t, std::int64_t) { return 0; }
  static std::int64_t pack(const product_arguments&, std::byte*) { return 0; }
};

/// Bytes of workspace that a product of m x k and k x n elements takes.
template <class T>
std::int64_t product_kernel_workspace(std::int64_t m, std::int64_t n, std::int64_t k) {
  if constexpr (is_half(element_of<T>)) {
    return half_product_workspace(m, n, k);
  } else {
    return product_workspace<T>(m, n, k);
  }
}

/// What computes a plan's product.
struct product_functions {
  void (*run)(const product_arguments&, std::byte* workspace);
  std::int64_t (*workspace)(std::int64_t m, std::int64_t n, std::int64_t k);  // bytes that a thread needs
  std::int64_t (*pack)(const product_arguments&, std::byte* to);              // see pack_right
};

}  // namespace tapeless::cpu_kernels
