// SPDX-License-Identifier: BSL-1.0
// Products of a matrix and a vector. An element is the same sum in the same order wherever a part of the
// result begins, if that has columns_together columns or more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tapeless/run/cpu/product/product_tiles.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

template <class T, int... V>
[[gnu::always_inline]] inline void add_row(T factor, const T* row, valid_lanes<T> last, wide<T>* sums,
                                           std::integer_sequence<int, V...>) {
  constexpr int width = packet_size<T>, end = sizeof...(V) - 1;
  const wide<T> factors = splat(factor);
  ((sums[V] = multiply_add(factors, V < end ? load(row + V * width) : load(row + V * width, last), sums[V])),
   ...);
}
template <class T, int... V>
[[gnu::always_inline]] inline void add_sums(const wide<T>* x, wide<T>* sums,
                                            std::integer_sequence<int, V...>) {
  ((sums[V] = sums[V] + x[V]), ...);
}

// y = x matrix, of so many columns as fit into vectors. Few vectors have several sums each, one for every
// second or fourth row: else they would wait for themselves.
template <int Vectors, class T, int... Chain>
[[gnu::always_inline]] inline void add_rows(const T* matrix, std::int64_t stride, const T* x, T* y,
                                            std::int64_t columns, std::int64_t rows,
                                            std::integer_sequence<int, Chain...>) {
  constexpr std::make_integer_sequence<int, Vectors> vectors;
  constexpr std::int64_t chains = sizeof...(Chain);
  const valid_lanes<T> last(columns - (Vectors - 1) * packet_size<T>);
  wide<T> sums[chains][Vectors];
  (clear_vectors(sums[Chain], vectors), ...);
  std::int64_t k = 0;
  for (; k + chains <= rows; k += chains, matrix += chains * stride)
    (add_row(x[k + Chain], matrix + Chain * stride, last, sums[Chain], vectors), ...);
  for (; chains > 1 && k < rows; ++k, matrix += stride) add_row(x[k], matrix, last, sums[0], vectors);
  ((Chain > 0 ? add_sums(sums[Chain], sums[0], vectors) : void()), ...);
  store_vectors(sums[0], false, y, last, vectors);
}
template <int Vectors, int Chains, class T>
[[gnu::noinline]] void row_times_columns(const T* matrix, std::int64_t stride, const T* x, T* y,
                                         std::int64_t columns, std::int64_t rows) {
  add_rows<Vectors>(matrix, stride, x, y, columns, rows, std::make_integer_sequence<int, Chains>{});
}

template <class T>
T dot(const T* a, const T* b, std::int64_t count) {
  T sum(0);
  for (std::int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

// So many dot products as a vector has lanes.
template <class T, int... R>
[[gnu::noinline]] void dots_of_square(const T* matrix, std::int64_t stride, const T* x, T* y,
                                      std::int64_t columns, std::integer_sequence<int, R...>) {
  constexpr std::int64_t width = packet_size<T>;
  wide<T> sums[] = {((void)R, splat(T(0)))...};
  for (std::int64_t k = 0; masks_memory<T> ? k < columns : k + width <= columns; k += width) {
    const valid_lanes<T> lanes(std::min(width, columns - k));
    const wide<T> factors = load(x + k, lanes);
    const T* row = matrix + k;
    ((sums[R] = multiply_add(load(row, lanes), factors, sums[R]), row += stride), ...);
  }
  cpu_kernels::square<T> square;
  ((square.packet[R] = sums[R].p), ...);
  store(y, sums_of_vectors<T>(square));
  if constexpr (!masks_memory<T>) {
    const std::int64_t k = columns / width * width;
    for (std::int64_t r = 0; k < columns && r < width; ++r)
      y[r] += dot(matrix + r * stride + k, x + k, columns - k);
  }
}

template <class T>
[[gnu::noinline]] T dot_of_vectors(const T* a, const T* b, std::int64_t count) {
  constexpr std::int64_t width = packet_size<T>;
  wide<T> sums[] = {splat(T(0)), splat(T(0)), splat(T(0)), splat(T(0))};
  const auto add = [&](wide<T>& sum, std::int64_t at) {
    sum = multiply_add(load(a + at), load(b + at), sum);
  };
  std::int64_t k = 0;
  for (; k + 4 * width <= count; k += 4 * width) {
    add(sums[0], k);
    add(sums[1], k + width);
    add(sums[2], k + 2 * width);
    add(sums[3], k + 3 * width);
  }
  for (; k + width <= count; k += width) add(sums[0], k);
  T rest(0);
  if constexpr (masks_memory<T>) {
    const valid_lanes<T> last(count - k);
    sums[1] = multiply_add(load(a + k, last), load(b + k, last), sums[1]);
  } else {
    rest = dot(a + k, b + k, count - k);
  }
  return Eigen::internal::predux(((sums[0] + sums[1]) + (sums[2] + sums[3])).p) + rest;
}

// c = a b of a column and a row: each row of c is b, times one number. So many rows of it.
template <class T, int... R>
[[gnu::always_inline]] inline void outer_rows(const T* a, std::int64_t stride, const T* b, T* c,
                                              std::int64_t ldc, std::int64_t n,
                                              std::integer_sequence<int, R...>) {
  constexpr std::int64_t width = packet_size<T>;
  const wide<T> factors[] = {splat(a[R * stride])...};
  T* const rows[] = {c + R * ldc...};
  std::int64_t j = 0;
  for (; masks_memory<T> ? j < n : j + width <= n; j += width) {
    const valid_lanes<T> lanes(std::min(width, n - j));
    const wide<T> x = load(b + j, lanes);
    (store(rows[R] + j, factors[R] * x, lanes), ...);
  }
  for (; j < n; ++j) ((rows[R][j] = a[R * stride] * b[j]), ...);
}
template <class T>
[[gnu::noinline]] void outer_product(const T* a, std::int64_t stride, const T* b, T* c, std::int64_t ldc,
                                     std::int64_t m, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + 4 <= m; i += 4)
    outer_rows(a + i * stride, stride, b, c + i * ldc, ldc, n, std::make_integer_sequence<int, 4>{});
  for (; i < m; ++i)
    outer_rows(a + i * stride, stride, b, c + i * ldc, ldc, n, std::make_integer_sequence<int, 1>{});
}

}  // namespace detail

/// y (columns) = x (rows) times a matrix whose rows are contiguous and `stride` apart.
template <class T>
void row_times_matrix(const T* matrix, std::int64_t stride, const T* x, T* y, std::int64_t columns,
                      std::int64_t rows) {
  constexpr std::int64_t width = packet_size<T>;
  using block = void (*)(const T*, std::int64_t, const T*, T*, std::int64_t, std::int64_t);
  static constexpr block blocks[] = {detail::row_times_columns<1, 4, T>, detail::row_times_columns<2, 4, T>,
                                     detail::row_times_columns<3, 1, T>, detail::row_times_columns<4, 1, T>};
  if (columns <= 4 * width && (masks_memory<T> || columns % width == 0))
    return blocks[(columns - 1) / width](matrix, stride, x, y, columns, rows);
  if (columns < width) {
    for (std::int64_t j = 0; j < columns; ++j) {
      T sum(0);
      for (std::int64_t k = 0; k < rows; ++k) sum += x[k] * matrix[k * stride + j];
      y[j] = sum;
    }
    return;
  }
  // The last block begins where it ends with the result, and computes some elements again.
  const std::int64_t vectors = columns >= 8 * width   ? 8
                               : columns >= 4 * width ? 4
                                                      : 1,
                     size = vectors * width;
  const block run = vectors == 8 ? detail::row_times_columns<8, 1, T> : blocks[vectors - 1];
  for (std::int64_t j = 0; j < columns; j += size) {
    const std::int64_t first = j + size <= columns ? j : columns - size;
    run(matrix + first, stride, x, y + first, size, rows);
  }
}

/// y (rows) = a matrix whose rows are contiguous and `stride` apart, times x (columns).
template <class T>
void matrix_times_column(const T* matrix, std::int64_t stride, const T* x, T* y, std::int64_t rows,
                         std::int64_t columns) {
  constexpr std::int64_t width = packet_size<T>;
  std::int64_t i = 0;
  for (; i + width <= rows; i += width)
    detail::dots_of_square(matrix + i * stride, stride, x, y + i, columns,
                           std::make_integer_sequence<int, packet_size<T>>{});
  for (; i < rows; ++i) y[i] = detail::dot_of_vectors(matrix + i * stride, x, columns);
}

}  // namespace tapeless::cpu_kernels
