// SPDX-License-Identifier: BSL-1.0
// Elements of other libraries' types, which may have strides, are copied to row-major order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tapeless/graph/core/bound_elements.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

namespace detail {

/// A matrix that is copied to row-major order: strides in elements.
struct matrix_copy {
  const std::byte* from;
  std::byte* to;
  std::int64_t row_stride, column_stride, rows, columns;
};

/// Its elements from row `first_row` and column `first_column` on, no more than `block` by `block`: as few as
/// fit into the cache on either side. Word has their size alone: memcpy may read and write what they are.
template <class Word>
void copy_block(const matrix_copy& m, std::int64_t first_row, std::int64_t first_column, std::int64_t block) {
  const Word* from = reinterpret_cast<const Word*>(m.from);
  Word* to = reinterpret_cast<Word*>(m.to);
  const std::int64_t row_stride = m.row_stride, column_stride = m.column_stride, columns = m.columns;
  const std::int64_t last_row = std::min(first_row + block, m.rows);
  const std::int64_t last_column = std::min(first_column + block, columns);
  for (std::int64_t i = first_row; i < last_row; ++i)
    for (std::int64_t j = first_column; j < last_column; ++j)
      std::memcpy(to + i * columns + j, from + i * row_stride + j * column_stride, sizeof(Word));
}

using block_copy = void (*)(const matrix_copy&, std::int64_t, std::int64_t, std::int64_t);

inline block_copy block_copy_of(std::size_t element_size) {
  switch (element_size) {
    case 8:
      return &copy_block<std::uint64_t>;
    case 4:
      return &copy_block<std::uint32_t>;
    case 2:
      return &copy_block<std::uint16_t>;
    default:
      return &copy_block<std::uint8_t>;
  }
}

/// Elements with strides to row-major order, matrix by matrix, and block by block, since either side may
/// jump. Pre-condition: e.strided_axes > 0.
TAPELESS_COLD inline void copy_strided(const bound_elements& e, std::byte* to) {
  constexpr std::int64_t block = 32;
  const auto size = static_cast<std::int64_t>(size_of(e.type));
  const block_copy copy = block_copy_of(size_of(e.type));
  const auto axes = static_cast<std::size_t>(e.strided_axes);
  matrix_copy one = {e.data, to, 0, e.strides[axes - 1], 1, e.count};
  if (axes > 1) {
    one.row_stride = e.strides[axes - 2];
    one.rows = e.shape[axes - 2];
    one.columns = e.shape[axes - 1];
  }
  const std::int64_t matrices = e.count / (one.rows * one.columns);
  for (std::int64_t m = 0; m < matrices; ++m) {
    std::int64_t offset = 0, rest = m;
    for (std::size_t d = axes; d-- > 2; rest /= e.shape[d - 2])
      offset += rest % e.shape[d - 2] * e.strides[d - 2];
    one.from = e.data + offset * size;
    one.to = to + m * one.rows * one.columns * size;
    for (std::int64_t i = 0; i < one.rows; i += block)
      for (std::int64_t j = 0; j < one.columns; j += block) copy(one, i, j, block);
  }
}

/// All elements to row-major order, without gaps.
inline void copy_elements(const bound_elements& e, std::byte* to) {
  if (e.strided_axes == 0) {
    std::memcpy(to, e.data, static_cast<std::size_t>(e.count) * size_of(e.type));
  } else {
    copy_strided(e, to);
  }
}

}  // namespace detail

}  // namespace tapeless
