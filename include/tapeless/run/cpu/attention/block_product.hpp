// SPDX-License-Identifier: BSL-1.0
// Products of small blocks that are in the cache: the right one has rows of whole vectors, the left one any
// strides, and neither is packed again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tapeless/run/cpu/convolution/windowed_sums.hpp>

namespace tapeless::cpu_kernels {

/// Element (r, k) is data[r * row + k * column].
template <class T>
struct block_view {
  const T* data;
  std::int64_t row, column;
};

/// Which elements of a product of square blocks matter.
enum class block_part {
  all,
  right,        // of the result, those whose column is not before their row
  from_row_on,  // of each row of a, those whose column is not before the row; the others are 0
  to_row        // of each row of a, those whose column is not behind the row; the others are 0
};

namespace detail {

// Functions rather than lambdas, which a compiler may leave alone: then the tile is not in registers.
template <class T, int Vectors, int... V>
[[gnu::always_inline]] inline void load_tile_row(const T* from, wide<T> (&x)[Vectors],
                                                 std::integer_sequence<int, V...>) {
  ((x[V] = load(from + V * packet_size<T>)), ...);
}
template <class T, int Vectors, int... V>
[[gnu::always_inline]] inline void store_tile_row(const wide<T> (&x)[Vectors], bool adds, T* to,
                                                  std::integer_sequence<int, V...>) {
  if (adds)
    (store(to + V * packet_size<T>, load(to + V * packet_size<T>) + x[V]), ...);
  else
    (store(to + V * packet_size<T>, x[V]), ...);
}
template <class T, int Vectors, int... V>
[[gnu::always_inline]] inline void add_tile_row(wide<T> factor, const wide<T> (&x)[Vectors],
                                                wide<T> (&sums)[Vectors], std::integer_sequence<int, V...>) {
  ((sums[V] = multiply_add(factor, x[V], sums[V])), ...);
}

template <int Vectors, class T, int... R>
[[gnu::always_inline]] inline void block_product_tile(block_view<T> a, const T* b, std::int64_t b_row, T* c,
                                                      std::int64_t c_row, std::int64_t depth, bool adds,
                                                      std::integer_sequence<int, R...>) {
  constexpr std::make_integer_sequence<int, Vectors> vectors;
  wide<T> tile[sizeof...(R)][Vectors] = {};
  for (std::int64_t k = 0; k < depth; ++k, a.data += a.column, b += b_row) {
    wide<T> x[Vectors];
    load_tile_row(b, x, vectors);
    (add_tile_row(splat(a.data[R * a.row]), x, tile[R], vectors), ...);
  }
  (store_tile_row(tile[R], adds, c + R * c_row, vectors), ...);
}

}  // namespace detail

/// c (+)= a b, where a has `rows` rows and `depth` columns, and b `columns` columns, a multiple of a vector's
/// size. Rows of a and c up to the next multiple of rows_at_once are read and written as well, and hold
/// anything afterwards; so do elements that do not matter.
template <class T>
[[gnu::noinline]] void multiply_block(block_view<T> a, const T* b, std::int64_t b_row, T* c,
                                      std::int64_t c_row, std::int64_t rows, std::int64_t columns,
                                      std::int64_t depth, block_part part, bool adds) {
  constexpr std::int64_t width = packet_size<T>;
  constexpr std::make_integer_sequence<int, rows_at_once> tile_rows;
  for (std::int64_t r = 0; r < rows; r += rows_at_once) {
    T* const to = c + r * c_row;
    const std::int64_t first = part == block_part::from_row_on ? std::min(r, depth) : 0,
                       last = part == block_part::to_row ? std::min(r + rows_at_once, depth) : depth;
    const block_view<T> left{a.data + r * a.row + first * a.column, a.row, a.column};
    const T* const right = b + first * b_row;
    std::int64_t j = part == block_part::right ? r / width * width : 0;
    for (; j + 2 * width <= columns; j += 2 * width)
      detail::block_product_tile<2>(left, right + j, b_row, to + j, c_row, last - first, adds, tile_rows);
    if (j < columns)
      detail::block_product_tile<1>(left, right + j, b_row, to + j, c_row, last - first, adds, tile_rows);
  }
}

}  // namespace tapeless::cpu_kernels
