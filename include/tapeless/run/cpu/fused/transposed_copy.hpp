// SPDX-License-Identifier: BSL-1.0
// Copies of matrices in memory, transposed: by blocks as large as vectors are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/cpu/vectors/transposition.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

/// A matrix in memory, of which the element at a row and a column is copied to that column and row of the
/// other one. Elements are copied bit by bit, whatever they are.
template <class T>
struct transposed_copy {
  const std::byte* from;
  std::int64_t from_stride;  // from row to row, in elements
  std::byte* to;
  std::int64_t to_stride;

  const std::byte* source(std::int64_t row, std::int64_t column) const {
    return from + (row * from_stride + column) * std::int64_t{sizeof(T)};
  }
  std::byte* target(std::int64_t row, std::int64_t column) const {
    return to + (row * to_stride + column) * std::int64_t{sizeof(T)};
  }
};

/// As many rows as columns as a packet has numbers.
template <class T, class Packet>
void transpose_block(const transposed_copy<T>& t, std::int64_t row, std::int64_t column, Packet p) {
  constexpr int size = Eigen::internal::unpacket_traits<Packet>::size;
  auto block = square_of(p);
  for (int i = 0; i < size; ++i)
    block.packet[i] = Eigen::internal::ploadu<Packet>(reinterpret_cast<const T*>(t.source(row + i, column)));
  transpose_vectors(block);
  for (int i = 0; i < size; ++i)
    Eigen::internal::pstoreu(reinterpret_cast<T*>(t.target(column + i, row)), block.packet[i]);
}

/// Element by element; two or three rows or columns are a constant of their loop.
template <class T>
void transpose_elements(const transposed_copy<T>& t, std::int64_t first_row, std::int64_t last_row,
                        std::int64_t first_column, std::int64_t last_column) {
  const auto copy = [&](std::int64_t row, std::int64_t column) TAPELESS_INLINED {
    std::memcpy(t.target(column, row), t.source(row, column), sizeof(T));
  };
  const auto with_columns = [&](auto columns) TAPELESS_INLINED {
    for (std::int64_t row = first_row; row < last_row; ++row)
      for (int k = 0; k < columns(); ++k) copy(row, first_column + k);
  };
  const auto with_rows = [&](auto rows) TAPELESS_INLINED {
    for (std::int64_t column = first_column; column < last_column; ++column)
      for (int k = 0; k < rows(); ++k) copy(first_row + k, column);
  };
  using std::integral_constant;
  if (last_column - first_column == 2) return with_columns(integral_constant<int, 2>());
  if (last_column - first_column == 3) return with_columns(integral_constant<int, 3>());
  if (last_row - first_row == 2) return with_rows(integral_constant<int, 2>());
  if (last_row - first_row == 3) return with_rows(integral_constant<int, 3>());
  for (std::int64_t row = first_row; row < last_row; ++row)
    for (std::int64_t column = first_column; column < last_column; ++column) copy(row, column);
}

/// By blocks, of which those at the end may be smaller ones.
template <class T, class Packet>
void transpose_in_blocks(const transposed_copy<T>& t, std::int64_t first_row, std::int64_t last_row,
                         std::int64_t first_column, std::int64_t last_column, Packet p) {
  constexpr std::int64_t block = Eigen::internal::unpacket_traits<Packet>::size;
  std::int64_t whole_row = first_row, whole_column = first_column;
  if constexpr (block > 1) {
    if (last_row - first_row >= block && last_column - first_column >= block) {
      whole_row = last_row - (last_row - first_row) % block;
      whole_column = last_column - (last_column - first_column) % block;
    }
    for (std::int64_t row = first_row; row < whole_row; row += block)
      for (std::int64_t column = first_column; column < whole_column; column += block)
        transpose_block(t, row, column, p);
  }
  const auto rest = [&](std::int64_t row, std::int64_t end_row, std::int64_t column,
                        std::int64_t end_column) {
    if (row == end_row || column == end_column) return;
    if constexpr (sizeof(half_of(Packet())) == sizeof(Packet) || block <= 2) {
      transpose_elements(t, row, end_row, column, end_column);
    } else {
      transpose_in_blocks(t, row, end_row, column, end_column, half_of(p));
    }
  };
  rest(first_row, whole_row, whole_column, last_column);
  rest(whole_row, last_row, first_column, last_column);
}

}  // namespace detail

/// Element (i, k) of `from` becomes element (k, i) of `to`, for rows i and columns k: of elements of 1, 2, 4
/// or 8 bytes. Strides are from row to row, in elements.
inline void copy_transposed(std::int64_t element_size, const std::byte* from, std::int64_t from_stride,
                            std::byte* to, std::int64_t to_stride, std::int64_t rows, std::int64_t columns) {
  const auto copy_as = [&]<class T>(T) {
    const detail::transposed_copy<T> t{from, from_stride, to, to_stride};
    if constexpr (sizeof(T) < 4) {
      detail::transpose_elements(t, 0, rows, 0, columns);
    } else {
      detail::transpose_in_blocks(t, 0, rows, 0, columns, packet<T>());
    }
  };
  if (element_size == 1) return copy_as(std::uint8_t());
  if (element_size == 2) return copy_as(std::uint16_t());
  if (element_size == 4) return copy_as(float());
  copy_as(double());
}

}  // namespace tapeless::cpu_kernels
