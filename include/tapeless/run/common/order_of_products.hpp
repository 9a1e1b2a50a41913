// SPDX-License-Identifier: BSL-1.0
// In which order the CPU adds up the terms of each element of a matrix product: what tables of kernels and
// straight-line code both go by, so that they have the same bits.
#pragma once

#include <cstdint>

namespace tapeless {

/// How the k terms of an element of a product are added up. Each of several sums begins with its first
/// product and goes on by multiply_add; one without terms adds nothing.
struct product_order {
  enum class kind {
    parts,   // term p goes to sum p mod sums, and these are combined by halves: 0 with sums / 2, ...
    chains,  // the same of fewer sums, for neighbours of the result in vectors
    blocks,  // one sum for each depth_of_block(k) terms; the blocks' are added one after the other
  };
  kind is = kind::blocks;
  int sums = 1;
};

inline constexpr std::int64_t most_terms_of_block = 512;
/// The terms of a block: there are as few blocks as there can be, of about the same size.
constexpr std::int64_t depth_of_block(std::int64_t k) {
  if (k <= most_terms_of_block) return k;
  const std::int64_t blocks = (k + most_terms_of_block - 1) / most_terms_of_block;
  return (k + blocks - 1) / blocks;
}

/// The parts of a sum along contiguous lines, in vectors of so many numbers: short ones would wait for
/// themselves. Those of one row's few elements are more.
constexpr int parts_of_sum(int width) { return width < 2 ? 4 : width < 8 ? 2 * width : width; }
constexpr int parts_of_lone_sum(int width) { return width < 2 ? 8 : 4 * width; }

/// The sums of each element of a row (or a column) that is a vector times a matrix, whose rows (columns) are
/// contiguous: few vectors of the result would wait for themselves. Parts of a row that is split over threads
/// have one, as it is longer.
constexpr int chains_of_row(std::int64_t elements, int width) {
  return elements <= 2 * width ? 4 : elements <= 4 * width ? 2 : 1;
}
/// Those of two or three columns of the result.
inline constexpr int chains_of_few_columns = 4;

/// What the order depends on: extents and strides, by row and by column.
struct product_layout {
  std::int64_t m, n, k, a_row, a_column, b_row, b_column;
};

/// Columns of the result that are so few that they do not fill a vector.
inline constexpr std::int64_t most_few_columns = 4;
constexpr bool has_few_columns(std::int64_t n, std::int64_t k, int width) {
  return n > 1 && n <= most_few_columns && n < width && k >= 8;
}

/// Whether the lines along which terms are added up are contiguous in both operands.
constexpr bool has_contiguous_terms(const product_layout& p) {
  return p.a_column == 1 && p.b_row == 1 && (p.b_column != 1 || p.n == 1);
}

/// Whether the right operand of one row is packed once by a loop that reads it in all iterations: one of
/// columns which fits into the nearest cache. Such a row is then summed up in chains.
constexpr bool is_packed_for_row(const product_layout& p, int width, std::int64_t element_size) {
  constexpr std::int64_t most_bytes = 1 << 15;
  const std::int64_t row = (p.n + width - 1) / width * width;
  return p.m == 1 && p.n > 1 && p.k > 1 && has_contiguous_terms(p) && p.k * row * element_size <= most_bytes;
}

/// The order of a product of floats or doubles in vectors of so many; products of 16 bits are in blocks.
/// Rows of the result do not depend on how many others there are, but where there is one. is_packed: it is
/// in a loop, and is_packed_for_row.
constexpr product_order order_of_product(const product_layout& p, int width, bool is_packed) {
  using enum product_order::kind;
  const bool has_row_a = p.a_column == 1, has_column_b = p.b_row == 1;
  if (is_packed) return {chains, chains_of_row(p.n, width)};
  if (has_contiguous_terms(p) && p.m == 1 && p.n <= most_few_columns)
    return {parts, parts_of_lone_sum(width)};
  if (has_contiguous_terms(p) && (p.m == 1 || p.n == 1 || has_few_columns(p.n, p.k, width)))
    return {parts, parts_of_sum(width)};
  if (p.n == 1 && has_column_b && (p.a_row == 1 || p.m == 1)) return {chains, chains_of_row(p.m, width)};
  if (p.m == 1 && has_row_a && (p.b_column == 1 || p.n == 1)) return {chains, chains_of_row(p.n, width)};
  if (has_few_columns(p.n, p.k, width) && p.n < 4 && p.a_row == 1 && p.a_column != 1 && p.m > 1)
    return {chains, chains_of_few_columns};
  return {};
}

}  // namespace tapeless
