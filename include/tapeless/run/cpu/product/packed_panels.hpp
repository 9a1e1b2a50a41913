// SPDX-License-Identifier: BSL-1.0
// The right operand of a product as its tiles read it: in panels of a tile's columns, whose rows are whole
// vectors, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tapeless/run/cpu/product/product_tiles.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

template <class T>
constexpr std::int64_t in_whole_vectors(std::int64_t columns) {
  return (columns + packet_size<T> - 1) / packet_size<T> * packet_size<T>;
}

// Transposes a square of a vector's size, of whose columns' elements the valid ones count. Columns that do
// not count repeat the last one.
template <class T, int... I>
[[gnu::always_inline]] inline void transpose_square(T* to, std::int64_t to_row, const T* from,
                                                    std::int64_t stride, std::int64_t columns,
                                                    std::int64_t rows, std::integer_sequence<int, I...>) {
  cpu_kernels::square<T> square;
  const valid_lanes<T> valid(rows);
  ((square.packet[I] = load(from + (I < columns ? I : columns - 1) * stride, valid).p), ...);
  transpose_vectors(square);
  ((I < rows ? store(to + I * to_row, wide<T>{square.packet[I]}) : void()), ...);
}

template <int Tiles, class T>
void pack_rows_of_tiles(T* to, const T* from, std::int64_t stride, std::int64_t depth, int rows) {
  for (std::int64_t k = 0; k < depth; ++k, to += product_rows, from += stride)
    for (int t = 0; t < Tiles; ++t)
      for (int r = 0; r < rows; ++r) to[t * product_rows * depth + r] = from[t * product_rows + r];
}

}  // namespace detail

/// Packs the next tiles of the left operand of a product, whose columns are contiguous: one of `rows` rows,
/// or tiles_together of product_rows.
template <class T>
[[gnu::noinline]] void pack_left(T* to, const T* from, std::int64_t stride, std::int64_t depth, int rows,
                                 int tiles) {
  if (tiles == tiles_together) {
    detail::pack_rows_of_tiles<tiles_together>(to, from, stride, depth, product_rows);
  } else if (rows == product_rows) {
    detail::pack_rows_of_tiles<1>(to, from, stride, depth, product_rows);
  } else {
    detail::pack_rows_of_tiles<1>(to, from, stride, depth, rows);
  }
}

/// Packs a block of a matrix whose rows are contiguous and `stride` apart. A vector times it wants one panel.
template <class T>
[[gnu::noinline]] void pack_rows(T* to, const T* from, std::int64_t stride, std::int64_t depth,
                                 std::int64_t columns, bool one_panel) {
  constexpr std::int64_t width = packet_size<T>;
  for (std::int64_t j = 0; j < columns;) {
    const std::int64_t count = one_panel ? columns : panel_columns<T>(columns - j);
    const valid_lanes<T> last(count % width);
    const T* row = from + j;
    for (std::int64_t k = 0; k < depth; ++k, row += stride) {
      std::int64_t i = 0;
      for (; i + width <= count; i += width, to += width) store(to, load(row + i));
      if (i == count) continue;
      if constexpr (masks_memory<T>) {
        store(to, load(row + i, last));
      } else {
        for (std::int64_t lane = 0; lane < width; ++lane) to[lane] = i + lane < count ? row[i + lane] : T(0);
      }
      to += width;
    }
    j += count;
  }
}

/// The same of a block whose columns are contiguous.
template <class T>
[[gnu::noinline]] void pack_columns(T* to, const T* from, std::int64_t stride, std::int64_t depth,
                                    std::int64_t columns, bool one_panel) {
  constexpr std::int64_t width = packet_size<T>;
  constexpr std::make_integer_sequence<int, packet_size<T>> lanes;
  for (std::int64_t j = 0; j < columns;) {
    const std::int64_t count = one_panel ? columns : panel_columns<T>(columns - j),
                       row = detail::in_whole_vectors<T>(count);
    for (std::int64_t i = 0; i < count; i += width) {
      const T* column = from + (j + i) * stride;
      T* place = to + i;
      const std::int64_t left = count - i;
      std::int64_t k = 0;
      for (; k < depth && (masks_memory<T> || k + width <= depth); k += width)
        detail::transpose_square(place + k * row, row, column + k, stride, left, std::min(width, depth - k),
                                 lanes);
      for (; k < depth; ++k)
        for (std::int64_t lane = 0; lane < width; ++lane)
          place[k * row + lane] = column[(lane < left ? lane : left - 1) * stride + k];
    }
    to += row * depth;
    j += count;
  }
}

}  // namespace tapeless::cpu_kernels
