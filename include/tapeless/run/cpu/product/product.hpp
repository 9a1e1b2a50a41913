// SPDX-License-Identifier: BSL-1.0
// Matrix products: one function for each element type, whatever the layers are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tapeless/graph/core/aligned.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/cpu/product/blas_product.hpp>
#include <tapeless/run/cpu/product/few_columns_product.hpp>
#include <tapeless/run/cpu/product/packed_panels.hpp>
#include <tapeless/run/cpu/product/vector_product.hpp>
#include <tapeless/run/cpu/vectors/eigen.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

/// Block sizes of a product. That of the depth does not depend on the other extents: so a part of a result
/// gets the bits that it has in the whole.
template <class T>
struct product_blocks {
  static constexpr std::int64_t bytes = 1 << 19;  // of the second-level cache
  std::int64_t depth, columns;
  bool packs_left;  // rows whose numbers are apart, where there are enough columns for it

  product_blocks(std::int64_t n, std::int64_t k) : packs_left(n > 4 * product_columns<T>) {
    depth = depth_of_block(k);
    const std::int64_t room = bytes / static_cast<std::int64_t>(sizeof(T)) / std::max<std::int64_t>(depth, 1);
    columns = even(n, std::max(room / product_columns<T>, std::int64_t{1}) * product_columns<T>,
                   product_columns<T>);
  }
  /// Of a packed block, behind which there may be the packed rows of some tiles.
  std::int64_t elements() const {
    return depth * (in_whole_vectors<T>(columns) + (packs_left ? tiles_together * product_rows : 0));
  }

 private:
  // As few pieces of at most `most` as there can be, of about the same size, a multiple of `grain`.
  static std::int64_t even(std::int64_t all, std::int64_t most, std::int64_t grain) {
    if (all <= most) return all;
    const std::int64_t pieces = (all + most - 1) / most, each = (all + pieces - 1) / pieces;
    return (each + grain - 1) / grain * grain;
  }
};

}  // namespace detail

/// What a product does with its operands' layouts. A vector's function is null where extents rule it out.
template <class T>
struct product_steps {
  using pack = void (*)(T* block, const T* from, std::int64_t stride, std::int64_t depth,
                        std::int64_t columns, bool one_panel);
  using times_vector = void (*)(const T* matrix, std::int64_t stride, const T* x, T* y, std::int64_t rows,
                                std::int64_t columns, bool is_part);
  using times_few = void (*)(const matrix_view<T>& a, const matrix_view<T>& b, T* c, std::int64_t ldc,
                             std::int64_t m, std::int64_t n, std::int64_t k);
  bool rows_a, rows_b;               // whether rows are contiguous, else columns are
  pack pack_b, pack_a;               // pack_a: as the right operand of the transposed product
  times_vector one_row, one_column;  // of the result
  times_few few_columns;             // null where they are like others
};
template <class T, bool RowsA, bool RowsB, bool OneRow = true, bool OneColumn = true>
constexpr product_steps<T> product_steps_for() {
  product_steps<T> steps{RowsA,
                         RowsB,
                         RowsB ? &pack_rows<T> : &pack_columns<T>,
                         RowsA ? &pack_columns<T> : &pack_rows<T>,
                         nullptr,
                         nullptr,
                         nullptr};
  if constexpr (OneRow) steps.one_row = RowsB ? &row_times_matrix<T> : &row_times_columns<T>;
  if constexpr (OneColumn)
    steps.one_column = RowsA ? &matrix_times_column<T> : &row_times_matrix<T>;  // c^T = b^T a^T
  if constexpr (RowsA && !RowsB) steps.few_columns = &rows_times_few_columns<T>;
  if constexpr (!RowsA) steps.few_columns = &columns_times_few_columns<T>;
  return steps;
}

/// Rows and columns of a product that stay together where it is split: parts have whole panels then, of two
/// or three vectors. A vector has a power of 2 of numbers.
inline constexpr std::int64_t rows_together = 16,
                              columns_together = 3 * std::max<std::int64_t>(packet_size<float>, 16);

/// Bytes of workspace that a product takes.
template <class T>
std::int64_t product_workspace(std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t most =
      std::max(detail::product_blocks<T>(n, k).elements(), detail::product_blocks<T>(m, k).elements());
  return tapeless::detail::aligned(most * static_cast<std::int64_t>(sizeof(T)));
}

namespace detail {

// c (+)= a b, element (i, j) of c at c[i * c_row + j * c_column]. lda and ldb are from one contiguous line to
// the next.
template <class T>
[[gnu::noinline]] void multiply_tiles(const matrix_view<T>& a, const matrix_view<T>& b, bool rows_b, T* c,
                                      std::int64_t c_row, std::int64_t c_column, std::int64_t m,
                                      std::int64_t n, std::int64_t k, std::byte* workspace, bool adds,
                                      typename product_steps<T>::pack pack_b, const T* packed = nullptr) {
  const product_blocks<T> blocks(n, k);
  T* const block = reinterpret_cast<T*>(workspace);
  T* const packed_rows = block + blocks.depth * in_whole_vectors<T>(blocks.columns);
  // Few rows read b where it is, a panel at a time.
  const bool packs = packed != nullptr || !rows_b || m > 2 * product_rows;
  const std::int64_t most_columns = packs ? blocks.columns : product_columns<T>;
  for (std::int64_t first = 0; first < n; first += most_columns) {
    const std::int64_t columns = std::min(most_columns, n - first);
    const bool packs_block = packs || columns % packet_size<T> != 0;
    for (std::int64_t p = 0; p < k; p += blocks.depth) {
      const std::int64_t depth = std::min(blocks.depth, k - p);
      const T* right = b.data + p * b.row_stride + first * b.column_stride;
      const T* const packed_right = packed != nullptr ? packed + first * depth
                                    : packs_block     ? block
                                                      : nullptr;
      if (packs_block && packed == nullptr)
        pack_b(block, right, rows_b ? b.row_stride : b.column_stride, depth, columns, false);
      int tiles = 0, tile = 0;  // that are packed, and of which are done
      for (std::int64_t i = 0; i < m;) {
        const int rows = rows_of_tile(m - i);
        const T* left = a.data + i * a.row_stride + p * a.column_stride;
        // Numbers that are a whole number of pages apart would push one another out of the cache.
        const bool packs_left = a.column_stride != 1 && blocks.packs_left;
        if (packs_left) {
          if (tile == tiles) {
            tile = 0;
            tiles = packed_tiles(m - i);
            pack_left(packed_rows, left, a.column_stride, depth, rows, tiles);
          }
          left = packed_rows + tile++ * product_rows * depth;
        }
        for (std::int64_t j = 0; j < columns;) {
          const std::int64_t count = panel_columns<T>(columns - j), others = columns - j - packet_size<T> - 1;
          const std::int64_t panels = std::max(others / product_columns<T>, std::int64_t{1});  // alike
          run_tiles<T>({.a = left,
                        .a_row = packs_left ? 1 : a.row_stride,
                        .a_column = packs_left ? product_rows : a.column_stride,
                        .b = packed_right != nullptr ? packed_right + j * depth : right + j,
                        .b_row = packed_right != nullptr ? in_whole_vectors<T>(count) : b.row_stride,
                        .c = c + i * c_row + (first + j) * c_column,
                        .c_row = c_row,
                        .c_column = c_column,
                        .depth = depth,
                        .columns = count,
                        .adds = adds || p > 0,
                        .panels = panels,
                        .b_panel = product_columns<T> * depth},
                       rows);
          j += panels * count;
        }
        i += rows;
      }
    }
  }
}

/// Whether the product of the transposed operands, in the other order, takes less time. To transpose b takes
/// about as long as so many multiplications of each element. To store the result's tiles transposed, and to
/// read each element of b for half a vector, takes so many more.
template <class T>
bool is_better_transposed(std::int64_t m, std::int64_t n, std::int64_t k) {
  constexpr double transposing = 0.55, storing = 0.6, reading = 0.2;  // vectors multiplied
  const bool is_narrow = has_narrow_tiles<T> && m <= column_size<T>;
  const std::int64_t together = is_narrow ? column_size<T> : packet_size<T>,
                     unused = (together - m % together) % together;
  const double rows = static_cast<double>(m);
  return (is_narrow ? reading : 0) + static_cast<double>(unused) / packet_size<T> +
             storing * rows / static_cast<double>(product_blocks<T>(n, k).depth) +
             transposing * rows / static_cast<double>(n) <
         transposing;
}

// c (+)= a b with c's rows contiguous.
template <class T>
void add_product(const matrix_view<T>& a, const matrix_view<T>& b, T* c, std::int64_t ldc, std::int64_t m,
                 std::int64_t n, std::int64_t k, std::byte* workspace, const product_steps<T>& steps,
                 bool adds) {
#ifdef TAPELESS_HAS_BLAS
  if (multiply_by_blas(a, steps.rows_a, b, steps.rows_b, c, ldc, m, n, k, adds)) return;
#endif
  // Few columns would not fill vectors, where rows of the other operand do without being packed.
  const bool is_narrow = !steps.rows_a && n <= product_rows && n % 4 == 0 && m > packet_size<T>;
  if (steps.rows_b ? !is_narrow : !is_better_transposed<T>(m, n, k))
    return multiply_tiles(a, b, steps.rows_b, c, ldc, std::int64_t{1}, m, n, k, workspace, adds,
                          steps.pack_b);
  multiply_tiles<T>({b.data, b.column_stride, b.row_stride}, {a.data, a.column_stride, a.row_stride},
                    !steps.rows_a, c, 1, ldc, n, m, k, workspace, adds, steps.pack_a);
}

}  // namespace detail

/// Elements of a right operand, of at most most_terms_of_block rows, that is packed as a whole. It is 0 where
/// it is too large, not worth it for so many rows of the left one, or where sums are in parts.
template <class T>
std::int64_t packed_elements(const product_steps<T>& steps, const product_layout& p) {
  const std::int64_t elements = p.k * detail::in_whole_vectors<T>(p.n), size = sizeof(T);
  if (p.m == 1 && p.a_column == 1) return is_packed_for_row(p, packet_size<T>, size) ? elements : 0;
  const bool worth = !steps.rows_b || p.m > 2 * product_rows,
             in_blocks = order_of_product(p, packet_size<T>, false).is == product_order::kind::blocks;
  return worth && in_blocks && p.n > 1 && p.k <= most_terms_of_block &&
                 elements * size <= detail::product_blocks<T>::bytes
             ? elements
             : 0;
}

/// c (m x n, rows ldc elements apart) = a (m x k) b (k x n). Those of a and b may overlap. `packed` is null,
/// or b as steps.pack_b packs it, to one panel where there is one row.
template <class T>
[[gnu::always_inline]] inline void multiply(const matrix_view<T>& a, const matrix_view<T>& b, T* c,
                                            std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k,
                                            std::byte* workspace, const product_steps<T>& steps,
                                            const T* packed = nullptr, bool is_part = false) {
  if (m == 0 || n == 0) return;
  if (k == 0) return detail::clear(c, ldc, m, n);
  if (packed != nullptr && m == 1 && a.column_stride == 1)
    return row_times_matrix(packed, detail::in_whole_vectors<T>(n), a.data, c, n, k, false);
  if (packed != nullptr)
    return detail::multiply_tiles(a, b, steps.rows_b, c, ldc, std::int64_t{1}, m, n, k, workspace, false,
                                  steps.pack_b, packed);
  if (k == 1 && b.column_stride == 1)
    return detail::outer_product(a.data, a.row_stride, b.data, c, ldc, m, n);
  if (n == 1 && steps.one_column != nullptr && b.row_stride == 1 && (ldc == 1 || m == 1)) {
    if (m == 1 && a.column_stride == 1) return row_times_columns(b.data, k, a.data, c, n, k, false);
    return steps.one_column(a.data, steps.rows_a ? a.row_stride : a.column_stride, b.data, c, m, k, is_part);
  }
  if (m == 1 && steps.one_row != nullptr && a.column_stride == 1)
    return steps.one_row(b.data, steps.rows_b ? b.row_stride : b.column_stride, a.data, c, n, k, is_part);
  if (steps.few_columns != nullptr && m > 1 && has_few_columns(n, k, packet_size<T>) &&
      (steps.rows_a || n < 4) && !has_blas)
    return steps.few_columns(a, b, c, ldc, m, n, k);
  detail::add_product(a, b, c, ldc, m, n, k, workspace, steps, false);
}

}  // namespace tapeless::cpu_kernels
