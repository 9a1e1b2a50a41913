// SPDX-License-Identifier: BSL-1.0
// Products of a matrix and few columns, in the orders of order_of_products.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tapeless/run/cpu/product/vector_product.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

// As many sums of neighbours in the result as a vector has lanes.
template <int Columns, bool All, class T, int... E>
[[gnu::always_inline]] inline void add_terms_of_few(const T* a, std::int64_t a_row, const T* b,
                                                    std::int64_t b_column, std::int64_t count, wide<T>* sums,
                                                    std::integer_sequence<int, E...>) {
  constexpr int size = packet_size<T>;
  wide<T> x[size], y[size];
  ((E < size / Columns ? void(x[E] = All ? load(a + E * a_row) : load_first(a + E * a_row, count, T(-0.0)))
                       : void()),
   ...);
  ((E < Columns ? void(y[E] = All ? load(b + E * b_column) : load_first(b + E * b_column, count, T(0)))
                : void()),
   ...);
  ((sums[E] = multiply_add(x[E / Columns], y[E % Columns], sums[E])), ...);
}
template <int Columns, class T, int... E>
[[gnu::noinline]] void few_columns_of_square(const T* a, std::int64_t a_row, const T* b,
                                             std::int64_t b_column, T* c, std::int64_t k,
                                             std::integer_sequence<int, E...> all) {
  constexpr std::int64_t width = packet_size<T>, vectors = vectors_of_parts<T>;
  wide<T> sums[vectors][packet_size<T>];
  for (int v = 0; v < vectors; ++v) clear_vectors(sums[v], all);
  std::int64_t p = 0;
  for (; p + vectors * width <= k; p += vectors * width)
    for (int v = 0; v < vectors; ++v)
      add_terms_of_few<Columns, true>(a + p + v * width, a_row, b + p + v * width, b_column, width, sums[v],
                                      all);
  for (int v = 0; v < vectors && p < k; ++v, p += width) {
    if (p + width <= k) {
      add_terms_of_few<Columns, true>(a + p, a_row, b + p, b_column, width, sums[v], all);
    } else {
      add_terms_of_few<Columns, false>(a + p, a_row, b + p, b_column, k - p, sums[v], all);
    }
  }
  add_sums_by_halves<static_cast<int>(vectors), packet_size<T>>(sums);
  cpu_kernels::square<T> square;
  ((square.packet[E] = sums[0][E].p), ...);
  store(c, sums_of_vectors<T>(square));
}

// The same of rows that fill vectors; the last ones are computed again. Precondition: they fill one.
template <int Columns, class T>
void rows_of_few_columns(const T* a, std::int64_t a_row, const T* b, std::int64_t b_column, T* c,
                         std::int64_t m, std::int64_t k) {
  constexpr std::int64_t together = packet_size<T> / Columns;
  for (std::int64_t i = 0; i < m; i += together) {
    const std::int64_t first = std::min(i, m - together);
    few_columns_of_square<Columns>(a + first * a_row, a_row, b, b_column, c + first * Columns, k,
                                   std::make_integer_sequence<int, packet_size<T>>{});
  }
}

}  // namespace detail

/// c (rows `ldc` apart) = a b of few columns, where rows of a and columns of b are contiguous, in parts.
template <class T>
[[gnu::noinline]] void rows_times_few_columns(const matrix_view<T>& a, const matrix_view<T>& b, T* c,
                                              std::int64_t ldc, std::int64_t m, std::int64_t n,
                                              std::int64_t k) {
  constexpr std::int64_t together = packet_size<T> < 4 ? 4 : packet_size<T>;
  if constexpr (packet_size<T> > 2)
    if (ldc == n && n == 2 && m >= packet_size<T> / 2)
      return detail::rows_of_few_columns<2>(a.data, a.row_stride, b.data, b.column_stride, c, m, k);
  if constexpr (packet_size<T> > 4)
    if (ldc == n && n == 4 && m >= packet_size<T> / 4)
      return detail::rows_of_few_columns<4>(a.data, a.row_stride, b.data, b.column_stride, c, m, k);
  T column[together];
  for (std::int64_t i = 0; i < m; i += together) {
    const std::int64_t rows = std::min(together, m - i);
    for (std::int64_t j = 0; j < n; ++j) {
      matrix_times_column(a.data + i * a.row_stride, a.row_stride, b.data + j * b.column_stride, column, rows,
                          k, false);
      for (std::int64_t r = 0; r < rows; ++r) c[(i + r) * ldc + j] = column[r];
    }
  }
}

namespace detail {

template <int Vectors, class T>
[[gnu::noinline]] void chains_of_rows(const matrix_view<T>& a, const T* b, std::int64_t b_row, T* c,
                                      std::int64_t ldc, std::int64_t m, std::int64_t k) {
  T column[Vectors * packet_size<T>];
  add_rows<Vectors>(a.data, a.column_stride, b, b_row, column, m, k,
                    std::make_integer_sequence<int, chains_of_few_columns>{});
  for (std::int64_t i = 0; i < m; ++i) c[i * ldc] = column[i];
}

}  // namespace detail

/// The same where columns of a are contiguous, in chains.
template <class T>
[[gnu::noinline]] void columns_times_few_columns(const matrix_view<T>& a, const matrix_view<T>& b, T* c,
                                                 std::int64_t ldc, std::int64_t m, std::int64_t n,
                                                 std::int64_t k) {
  constexpr std::int64_t width = packet_size<T>;
  for (std::int64_t j = 0; j < n; ++j) {
    const T* const column = b.data + j * b.column_stride;
    if (m < width && !masks_memory<T>) {
      T sums[width];
      detail::chains_of_numbers(a.data, a.column_stride, column, b.row_stride, sums, m, k);
      for (std::int64_t i = 0; i < m; ++i) c[i * ldc + j] = sums[i];
      continue;
    }
    for (std::int64_t i = 0; i < m;) {
      // Without masks a block is whole: it begins where it ends with the column.
      const bool are_two = m - i > width && (masks_memory<T> || m >= 2 * width);
      const std::int64_t rows = are_two ? 2 * width : width,
                         first = masks_memory<T> ? i : std::min(i, m - rows),
                         size = std::min(rows, m - first);
      (rows > width && size > width
           ? &detail::chains_of_rows<2, T>
           : &detail::chains_of_rows<1, T>)({a.data + first, a.row_stride, a.column_stride}, column,
                                            b.row_stride, c + first * ldc + j, ldc, size, k);
      i += rows;
    }
  }
}

}  // namespace tapeless::cpu_kernels
