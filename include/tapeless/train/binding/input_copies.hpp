// SPDX-License-Identifier: BSL-1.0
// Copies the inputs that a program cannot read where they are: those with strides, and those in memory that
// the run itself writes to, such as its last result.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/train/binding/bound_elements.hpp>

namespace tapeless {

namespace detail {

/// A matrix with strides, in elements, to row-major order; block by block, since either side may jump.
template <class Word>
void copy_matrix(const Word* from, std::int64_t row_stride, std::int64_t column_stride, std::int64_t rows,
                 std::int64_t columns, Word* to) {
  constexpr std::int64_t block = 32;
  for (std::int64_t i0 = 0; i0 < rows; i0 += block)
    for (std::int64_t j0 = 0; j0 < columns; j0 += block)
      for (std::int64_t i = i0; i < std::min(i0 + block, rows); ++i)
        for (std::int64_t j = j0; j < std::min(j0 + block, columns); ++j)
          to[i * columns + j] = from[i * row_stride + j * column_stride];
}

/// Elements with strides to row-major order, matrix by matrix. Pre-condition: e.strided_axes > 0.
template <class Word>
[[gnu::cold]] void copy_strided(const bound_elements& e, std::byte* target) {
  const Word* from = reinterpret_cast<const Word*>(e.data);
  Word* to = reinterpret_cast<Word*>(target);
  const auto axes = static_cast<std::size_t>(e.strided_axes);
  if (axes == 1) return copy_matrix(from, 0, e.strides[0], 1, e.count, to);
  const std::int64_t rows = e.shape[axes - 2], columns = e.shape[axes - 1];
  const std::int64_t matrices = e.count / (rows * columns);
  for (std::int64_t m = 0; m < matrices; ++m) {
    std::int64_t offset = 0, rest = m;
    for (std::size_t d = axes - 2; d-- > 0; rest /= e.shape[d]) offset += rest % e.shape[d] * e.strides[d];
    copy_matrix(from + offset, e.strides[axes - 2], e.strides[axes - 1], rows, columns,
                to + m * rows * columns);
  }
}

inline void copy_elements(const bound_elements& e, std::byte* to) {
  const std::size_t size = size_of(e.type);
  if (e.strided_axes == 0) {
    std::memcpy(to, e.data, static_cast<std::size_t>(e.count) * size);
  } else if (size == 8) {
    copy_strided<std::uint64_t>(e, to);
  } else if (size == 4) {
    copy_strided<std::uint32_t>(e, to);
  } else if (size == 2) {
    copy_strided<std::uint16_t>(e, to);
  } else {
    copy_strided<std::uint8_t>(e, to);
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
  std::unique_ptr<std::byte[]> copies_;
  std::int64_t room_ = 0;

  static std::int64_t bytes_of(const bound_elements& e) {
    return e.count * static_cast<std::int64_t>(size_of(e.type));
  }
  static std::int64_t padded(const bound_elements& e) { return (bytes_of(e) + 63) / 64 * 64; }

  template <class Program>
  static bool is_copied(const Program& program, const bound_elements& e) {
    if (e.data == nullptr || e.count == 0) return false;
    return e.strided_axes > 0 || program.overwrites({e.data, static_cast<std::size_t>(bytes_of(e))});
  }

  [[gnu::cold]] void reserve(std::int64_t bytes) {
    if (bytes <= room_) return;
    copies_ = std::make_unique<std::byte[]>(static_cast<std::size_t>(bytes));
    room_ = bytes;
  }
};

}  // namespace tapeless
