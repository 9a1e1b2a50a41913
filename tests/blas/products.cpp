// SPDX-License-Identifier: BSL-1.0
// Products by a BLAS against plain loops: all layouts, slices, lines that overlap, a single row, column or
// term. Numbers are so simple that every order of a sum gives the same bits.
#include <cstdio>
#include <vector>

#include <tapeless/run/cpu/product/product_kernel.hpp>
#include <tapeless/run/cpu/vectors/aligned_memory.hpp>

namespace k = tapeless::cpu_kernels;
static_assert(k::has_blas, "the option TAPELESS_BLAS does not reach the headers");

namespace {

int failures = 0;

template <class T>
std::vector<T> numbers(std::int64_t count, std::int64_t seed) {
  std::vector<T> all(static_cast<std::size_t>(count));
  for (T& x : all) x = static_cast<T>((seed = (seed * 1103515245 + 12345) % 2147483648) / 65536 % 5 - 2);
  return all;
}

template <class T, bool RowsA, bool RowsB>
void check(std::int64_t m, std::int64_t n, std::int64_t depth, std::int64_t lda, std::int64_t ldb,
           std::int64_t spare) {
  const auto a = numbers<T>((m + depth) * (lda + 1) + m * depth, 1),
             b = numbers<T>((n + depth) * (ldb + 1) + n * depth, 2);
  const k::matrix_view<T> left{a.data(), RowsA ? lda : 1, RowsA ? 1 : lda},
      right{b.data(), RowsB ? ldb : 1, RowsB ? 1 : ldb};
  const std::int64_t ldc = n + spare;
  std::vector<T> c(static_cast<std::size_t>(m * ldc), T(7));
  const k::aligned_memory workspace(k::product_workspace<T>(m, n, depth));
  k::multiply<T>(left, right, c.data(), ldc, m, n, depth, workspace.data(),
                 k::product_steps_for<T, RowsA, RowsB>());
  bool right_result = true;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < ldc; ++j) {
      T sum = j < n ? T(0) : T(7);  // what is between rows stays
      for (std::int64_t p = 0; p < depth && j < n; ++p)
        sum += left.data[i * left.row_stride + p * left.column_stride] *
               right.data[p * right.row_stride + j * right.column_stride];
      right_result = right_result && c[static_cast<std::size_t>(i * ldc + j)] == sum;
    }
  if (right_result) return;
  ++failures;
  std::printf("wrong: %ld x %ld x %ld, rows %d %d, lines %ld and %ld apart\n", static_cast<long>(m),
              static_cast<long>(depth), static_cast<long>(n), RowsA, RowsB, static_cast<long>(lda),
              static_cast<long>(ldb));
}

template <class T>
void check_layouts(std::int64_t m, std::int64_t n, std::int64_t depth, std::int64_t spare) {
  check<T, true, true>(m, n, depth, depth + spare, n + spare, spare);
  check<T, true, false>(m, n, depth, depth + spare, depth + spare, spare);
  check<T, false, true>(m, n, depth, m + spare, n + spare, spare);
  check<T, false, false>(m, n, depth, m + spare, depth + spare, spare);
}

template <class T>
void check_all() {
  for (const std::int64_t m : {1, 2, 33})
    for (const std::int64_t n : {1, 10, 65})
      for (const std::int64_t depth : {0, 1, 31, 700})
        for (const std::int64_t spare : {0, 3}) check_layouts<T>(m, n, depth, spare);
  check<T, true, true>(9, 9, 8, 2, 9, 0);  // rows that overlap, as windows do: no BLAS takes them
  check<T, true, false>(9, 9, 8, 2, 3, 0);
}

}  // namespace

int main() {
  check_all<float>();
  check_all<double>();
  return failures == 0 ? 0 : 1;
}
