// SPDX-License-Identifier: BSL-1.0
// Products of a matrix and a vector, in the orders of order_of_products.hpp. An element is the same sum in
// the same order wherever a part of the result begins, if that has columns_together columns or more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tapeless/run/common/order_of_products.hpp>
#include <tapeless/run/cpu/product/product_tiles.hpp>
#include <tapeless/run/cpu/vectors/first_numbers.hpp>
#include <tapeless/run/cpu/vectors/total_of_lanes.hpp>

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

// The last half of some sums is added to the first one until one is left.
template <int Count, int Vectors, class T>
[[gnu::always_inline]] inline void add_sums_by_halves(wide<T> (*sums)[Vectors]) {
  if constexpr (Count > 1) {
    for (int i = 0; i < Count / 2; ++i)
      add_sums(sums[i + Count / 2], sums[i], std::make_integer_sequence<int, Vectors>{});
    add_sums_by_halves<Count / 2, Vectors>(sums);
  }
}

// y = x matrix, of so many columns as fit into vectors, in as many chains. Elements of x are so far apart.
template <int Vectors, class T, int... Chain>
[[gnu::always_inline]] inline void add_rows(const T* matrix, std::int64_t stride, const T* x,
                                            std::int64_t x_stride, T* y, std::int64_t columns,
                                            std::int64_t rows, std::integer_sequence<int, Chain...>) {
  constexpr std::make_integer_sequence<int, Vectors> vectors;
  constexpr std::int64_t chains = sizeof...(Chain);
  const valid_lanes<T> last(columns - (Vectors - 1) * packet_size<T>);
  wide<T> sums[chains][Vectors];
  (clear_vectors(sums[Chain], vectors), ...);
  std::int64_t k = 0;
  for (; k + chains <= rows; k += chains, matrix += chains * stride)
    (add_row(x[(k + Chain) * x_stride], matrix + Chain * stride, last, sums[Chain], vectors), ...);
  if (chains > 1 && k < rows)
    ((k + Chain < rows
          ? add_row(x[(k + Chain) * x_stride], matrix + Chain * stride, last, sums[Chain], vectors)
          : void()),
     ...);
  add_sums_by_halves<static_cast<int>(chains), Vectors>(sums);
  store_vectors(sums[0], false, y, last, vectors);
}
template <int Vectors, int Chains, class T>
[[gnu::noinline]] void chains_of_columns(const T* matrix, std::int64_t stride, const T* x, T* y,
                                         std::int64_t columns, std::int64_t rows) {
  add_rows<Vectors>(matrix, stride, x, 1, y, columns, rows, std::make_integer_sequence<int, Chains>{});
}

// The same of numbers, in four chains.
template <class T>
[[gnu::noinline]] void chains_of_numbers(const T* matrix, std::int64_t stride, const T* x,
                                         std::int64_t x_stride, T* y, std::int64_t columns,
                                         std::int64_t rows) {
  for (std::int64_t j = 0; j < columns; ++j) {
    T sums[] = {T(-0.0), T(-0.0), T(-0.0), T(-0.0)};
    const T* from = matrix + j;
    const auto add = [&](int chain, std::int64_t k) {
      sums[chain] = multiply_add_numbers(x[(k + chain) * x_stride], from[chain * stride], sums[chain]);
    };
    std::int64_t k = 0;
    for (; k + 4 <= rows; k += 4, from += 4 * stride) add(0, k), add(1, k), add(2, k), add(3, k);
    if (k < rows) add(0, k);
    if (k + 1 < rows) add(1, k);
    if (k + 2 < rows) add(2, k);
    y[j] = (sums[0] + sums[2]) + (sums[1] + sums[3]);
  }
}

template <class T, int... R>
[[gnu::always_inline]] inline void add_terms(const T* row, std::int64_t stride, std::int64_t last_row,
                                             wide<T> factors, wide<T>* sums,
                                             std::integer_sequence<int, R...>) {
  ((sums[R] = multiply_add(load(row), factors, sums[R]), row += R < last_row ? stride : 0), ...);
}
// The first `count` of a vector's. What there is none of is -0 times 0, which changes no sum.
template <class T, int... R>
[[gnu::always_inline]] inline void add_first_terms(const T* row, std::int64_t stride, std::int64_t last_row,
                                                   const T* x, std::int64_t count, wide<T>* sums,
                                                   std::integer_sequence<int, R...>) {
  const wide<T> factors = load_first(x, count, T(-0.0));
  ((sums[R] = multiply_add(load_first(row, count, T(0)), factors, sums[R]), row += R < last_row ? stride : 0),
   ...);
}
// The terms that do not fill all parts.
template <int Vector, int Vectors, class T, int Rows>
[[gnu::always_inline]] inline void add_last_terms(const T* matrix, std::int64_t stride, std::int64_t last_row,
                                                  const T* x, std::int64_t count, wide<T> (*sums)[Rows],
                                                  std::make_integer_sequence<int, Rows> rows) {
  constexpr std::int64_t width = packet_size<T>;
  if (count >= width) {
    add_terms(matrix, stride, last_row, load(x), sums[Vector], rows);
  } else if (count > 0) {
    add_first_terms(matrix, stride, last_row, x, count, sums[Vector], rows);
  }
  if constexpr (Vector + 1 < Vectors)
    if (count > width)
      add_last_terms<Vector + 1, Vectors>(matrix + width, stride, last_row, x + width, count - width, sums,
                                          rows);
}
// The sums of some rows, of which those from last_row on are the same, each in parts that fill so many
// vectors. They are combined to one vector.
template <int Vectors, class T, int Rows>
[[gnu::always_inline]] inline void add_parts(const T* matrix, std::int64_t stride, std::int64_t last_row,
                                             const T* x, std::int64_t columns, wide<T> (*sums)[Rows],
                                             std::make_integer_sequence<int, Rows> rows) {
  constexpr std::int64_t width = packet_size<T>;
  for (int v = 0; v < Vectors; ++v) clear_vectors(sums[v], rows);
  std::int64_t k = 0;
  if constexpr (masks_memory<T> && Vectors == 1) {
    // of several rows processors need not read ahead
    for (; k < columns; k += width)
      add_first_terms(matrix + k, stride, last_row, x + k, std::min(width, columns - k), sums[0], rows);
  } else {
    for (; k + Vectors * width <= columns; k += Vectors * width)
      for (int v = 0; v < Vectors; ++v)
        add_terms(matrix + k + v * width, stride, last_row, load(x + k + v * width), sums[v], rows);
    if (k < columns) add_last_terms<0, Vectors>(matrix + k, stride, last_row, x + k, columns - k, sums, rows);
  }
  add_sums_by_halves<Vectors, Rows>(sums);
}
template <class T>
inline constexpr int vectors_of_parts = parts_of_sum(packet_size<T>) / packet_size<T>;

// So many dot products as a vector has lanes.
template <class T, int... R>
[[gnu::noinline]] void dots_of_square(const T* matrix, std::int64_t stride, const T* x, T* y,
                                      std::int64_t columns, std::integer_sequence<int, R...> rows) {
  wide<T> sums[vectors_of_parts<T>][sizeof...(R)];
  add_parts<vectors_of_parts<T>>(matrix, stride, packet_size<T>, x, columns, sums, rows);
  cpu_kernels::square<T> square;
  ((square.packet[R] = sums[0][R].p), ...);
  store(y, sums_of_vectors<T>(square));
}
// As many as few_vectors at most.
template <class T, int... R>
[[gnu::noinline]] void dots_of_few(const T* matrix, std::int64_t stride, const T* x, T* y, std::int64_t count,
                                   std::int64_t columns, std::integer_sequence<int, R...> rows) {
  wide<T> sums[vectors_of_parts<T>][sizeof...(R)];
  add_parts<vectors_of_parts<T>>(matrix, stride, count - 1, x, columns, sums, rows);
  const packet<T> all[] = {sums[0][R].p...};
  T dots[few_vectors<T>];
  sums_of_few_vectors<T>(all, dots);
  for (int r = 0; r < few_vectors<T>; ++r)
    if (r < count) y[r] = dots[r];
}

// One, in parts_of_lone_sum.
template <class T>
[[gnu::noinline]] T lone_dot(const T* a, const T* b, std::int64_t count) {
  constexpr int width = packet_size<T>, vectors = parts_of_lone_sum(width) / width;
  wide<T> sums[vectors][1];
  add_parts<vectors>(a, 0, 0, b, count, sums, std::make_integer_sequence<int, 1>{});
  return sum_of_lanes(sums[0][0]);
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

/// c = 0: a product without terms, whose chains would begin, and end, with -0.
template <class T>
void clear(T* c, std::int64_t ldc, std::int64_t m, std::int64_t n) {
  for (std::int64_t i = 0; i < m; ++i) std::fill(c + i * ldc, c + i * ldc + n, T(0));
}

}  // namespace detail

/// y (columns) = x (rows) times a matrix whose rows are contiguous and `stride` apart, in chains_of_row. A
/// part of a longer y has at least 48 columns.
template <class T>
void row_times_matrix(const T* matrix, std::int64_t stride, const T* x, T* y, std::int64_t columns,
                      std::int64_t rows, bool is_part) {
  constexpr std::int64_t width = packet_size<T>;
  using block = void (*)(const T*, std::int64_t, const T*, T*, std::int64_t, std::int64_t);
  static constexpr block blocks[] = {detail::chains_of_columns<1, 4, T>, detail::chains_of_columns<2, 4, T>,
                                     detail::chains_of_columns<3, 2, T>, detail::chains_of_columns<4, 2, T>};
  if (columns <= 4 * width && !is_part && (masks_memory<T> || columns % width == 0))
    return blocks[(columns - 1) / width](matrix, stride, x, y, columns, rows);
  if (columns < width) return detail::chains_of_numbers(matrix, stride, x, 1, y, columns, rows);
  // The last block begins where it ends with the result, and computes some elements again.
  const auto run = [&](block compute, std::int64_t size) {
    for (std::int64_t j = 0; j < columns; j += size) {
      const std::int64_t first = std::min(j, columns - size);
      compute(matrix + first, stride, x, y + first, size, rows);
    }
  };
  if constexpr (!masks_memory<T>) {
    if (columns < 2 * width) return run(blocks[0], width);
    if (columns < 3 * width) return run(detail::chains_of_columns<2, 2, T>, 2 * width);
    if (columns < 4 * width) return run(blocks[2], 3 * width);
  }
  if (columns >= 8 * width) return run(detail::chains_of_columns<8, 1, T>, 8 * width);
  if (columns >= 4 * width) return run(detail::chains_of_columns<4, 1, T>, 4 * width);
  run(detail::chains_of_columns<3, 1, T>, 3 * width);
}

/// y (rows) = a matrix whose rows are contiguous and `stride` apart, times x (columns), in parts_of_sum.
template <class T>
void matrix_times_column(const T* matrix, std::int64_t stride, const T* x, T* y, std::int64_t rows,
                         std::int64_t columns, bool /*is_part*/) {
  constexpr std::int64_t width = packet_size<T>, few = few_vectors<T>;
  std::int64_t i = 0;
  for (; i + width <= rows; i += width)
    detail::dots_of_square(matrix + i * stride, stride, x, y + i, columns,
                           std::make_integer_sequence<int, packet_size<T>>{});
  for (; i < rows; i += few)
    detail::dots_of_few(matrix + i * stride, stride, x, y + i, std::min(few, rows - i), columns,
                        std::make_integer_sequence<int, few_vectors<T>>{});
}

/// y (columns) = x (rows) times a matrix whose columns are contiguous and `stride` apart, in parts.
template <class T>
void row_times_columns(const T* matrix, std::int64_t stride, const T* x, T* y, std::int64_t columns,
                       std::int64_t rows, bool is_part) {
  if (columns > most_few_columns) return matrix_times_column(matrix, stride, x, y, columns, rows, is_part);
  for (std::int64_t j = 0; j < columns; ++j) y[j] = detail::lone_dot(matrix + j * stride, x, rows);
}

}  // namespace tapeless::cpu_kernels
