// SPDX-License-Identifier: BSL-1.0
// Copies the inputs that a program cannot read where they are: those with strides, and those in memory that
// the run itself writes to, such as its last result.
#pragma once

#include <algorithm>
#include <cstring>

#include <tapeless/graph/core/aligned.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/train/binding/bound_elements.hpp>

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

inline void copy_elements(const bound_elements& e, std::byte* to) {
  if (e.strided_axes == 0) {
    std::memcpy(to, e.data, static_cast<std::size_t>(e.count) * size_of(e.type));
  } else {
    copy_strided(e, to);
  }
}

}  // namespace detail

/// The copies of one program's inputs, in memory that grows to what the largest run has needed.
class input_copies {
 public:
  /// Post-condition: data[i] points to input i's contiguous elements, which a run of the program does not
  /// write to. Allocates where there are more to copy than before; nothing has changed where that throws.
  template <class Program>
  void gather(const Program& program, array_view<const bound_elements> inputs,
              array_view<const std::byte*> data) {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      data[i] = inputs[i].data;
      if (is_copied(program, inputs[i])) bytes += padded(inputs[i]);
    }
    if (bytes == 0) return;
    reserve(bytes);
    std::byte* to = copies_.get();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!is_copied(program, inputs[i])) continue;
      detail::copy_elements(inputs[i], to);
      data[i] = to;
      to += padded(inputs[i]);
    }
  }

 private:
  sole_owner<std::byte[]> copies_;
  std::int64_t room_ = 0;

  static std::int64_t bytes_of(const bound_elements& e) {
    return e.count * static_cast<std::int64_t>(size_of(e.type));
  }
  static std::int64_t padded(const bound_elements& e) { return detail::aligned(bytes_of(e)); }

  template <class Program>
  static bool is_copied(const Program& program, const bound_elements& e) {
    if (e.data == nullptr || e.count == 0) return false;
    return e.strided_axes > 0 || program.overwrites({e.data, static_cast<std::size_t>(bytes_of(e))});
  }

  TAPELESS_COLD void reserve(std::int64_t bytes) {
    if (bytes <= room_) return;
    copies_ = sole_owner<std::byte[]>(new std::byte[static_cast<std::size_t>(bytes)]());
    room_ = bytes;
  }
};

}  // namespace tapeless
