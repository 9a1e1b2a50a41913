// SPDX-License-Identifier: BSL-1.0
// What a product is called with, and its kernel: a batch of matrix products, one after the other.
#pragma once

#include <tapeless/graph/core/element.hpp>
#include <tapeless/run/cpu/half_product.hpp>

namespace tapeless::cpu_kernels {

/// RowsA, RowsB: whether the operands' rows are contiguous, else their columns are.
template <class T, bool RowsA, bool RowsB>
struct product_kernel {
  static void run(const product_arguments& p) {
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
      T* const result = reinterpret_cast<T*>(p.c.data) + c;
      if constexpr (is_half(element_of<T>)) {
        multiply_half(left, right, result, p.ldc, p.m, p.n, p.k, p.workspace);
      } else {
        multiply<T, RowsA, RowsB>(left, right, result, p.ldc, p.m, p.n, p.k, p.workspace);
      }
    }
  }
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
  void (*run)(const product_arguments&);
  std::int64_t (*workspace)(std::int64_t m, std::int64_t n, std::int64_t k);  // bytes that a thread needs
};

}  // namespace tapeless::cpu_kernels
