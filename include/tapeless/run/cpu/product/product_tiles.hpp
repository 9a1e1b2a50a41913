// SPDX-License-Identifier: BSL-1.0
// The innermost kernels of matrix products: a tile of the result is in registers while a row of one operand
// after the other is multiplied. Each element is the same sum in the same order, whatever tile it is in.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tapeless/run/cpu/vectors/transposition.hpp>
#include <tapeless/run/cpu/vectors/valid_lanes.hpp>

namespace tapeless::cpu_kernels {

/// A matrix in memory: its rows or its columns are contiguous.
template <class T>
struct matrix_view {
  const T* data;
  std::int64_t row_stride, column_stride;
};

/// Rows of a tile, and vectors in each of them: as many as there are registers for, with those of one row of
/// b and one number of a. With three vectors in a row, 16 registers would be one too few: compilers keep a
/// constant in one, and load b's vectors once for each row.
inline constexpr int product_rows = has_many_registers ? 8 : 6, product_vectors = has_many_registers ? 3 : 2;
template <class T>
inline constexpr std::int64_t product_columns = product_vectors * packet_size<T>;

/// So many columns has the next panel of b where so many are left. No single vector is left behind a panel of
/// three: its few sums would wait for themselves.
template <class T>
constexpr std::int64_t panel_columns(std::int64_t left) {
  if (left <= product_columns<T>) return left;
  return left <= product_columns<T> + packet_size<T> ? 2 * packet_size<T> : product_columns<T>;
}

/// c (+)= a b, where b has rows of whole vectors, of whose columns the first so many count. Element (r, j) of
/// c is c[r * c_row + j * c_column].
template <class T>
struct product_tile {
  const T* a;
  std::int64_t a_row, a_column;
  const T* b;
  std::int64_t b_row;
  T* c;
  std::int64_t c_row, c_column;
  std::int64_t depth, columns;
  bool adds;
  std::int64_t panels = 1, b_panel = 0;  // so many tiles side by side, whose parts of b are so far apart
};

namespace detail {

// Functions rather than lambdas, which a compiler may leave alone: then the tile is not in registers. Sums
// begin with -0, to which any product is added without a change.
template <class T, int... V>
[[gnu::always_inline]] inline void clear_vectors(wide<T>* x, std::integer_sequence<int, V...>) {
  ((x[V] = splat(T(-0.0))), ...);
}
template <class T, int... V>
[[gnu::always_inline]] inline void load_vectors(const T* from, wide<T>* x, std::integer_sequence<int, V...>) {
  ((x[V] = load(from + V * packet_size<T>)), ...);
}
template <class T, int... V>
[[gnu::always_inline]] inline void add_vectors(T factor, const wide<T>* x, wide<T>* sums,
                                               std::integer_sequence<int, V...>) {
  const wide<T> factors = splat(factor);
  ((sums[V] = multiply_add(factors, x[V], sums[V])), ...);
}
template <class T, int... V>
[[gnu::always_inline]] inline void store_vectors(const wide<T>* sums, bool adds, T* to, valid_lanes<T> last,
                                                 std::integer_sequence<int, V...>) {
  constexpr int width = packet_size<T>, end = sizeof...(V) - 1;
  if (adds) {
    ((V < end ? store(to + V * width, load(to + V * width) + sums[V])
              : store(to + V * width, load(to + V * width, last) + sums[V], last)),
     ...);
  } else {
    ((V < end ? store(to + V * width, sums[V]) : store(to + V * width, sums[V], last)), ...);
  }
}

// A vector of no more numbers than a tile has rows, where the target has one.
template <class T>
auto column_of_tile() {
  if constexpr (packet_size<T> <= product_rows) {
    return packet<T>{};
  } else {
    return half_of(packet<T>{});
  }
}
template <class T>
inline constexpr int column_size = Eigen::internal::unpacket_traits<decltype(column_of_tile<T>())>::size;

// Stores a square of numbers, whose rows are row_length apart, column by column.
template <class T, int... I>
[[gnu::always_inline]] inline void store_columns(const T* rows, std::int64_t row_length, T* to,
                                                 std::int64_t stride, bool adds,
                                                 std::integer_sequence<int, I...>) {
  auto square = square_of(column_of_tile<T>());
  using column = std::remove_cvref_t<decltype(square.packet[0])>;
  ((square.packet[I] = Eigen::internal::ploadu<column>(rows + I * row_length)), ...);
  Eigen::internal::ptranspose(square);
  if (adds)
    ((square.packet[I] =
          Eigen::internal::padd(Eigen::internal::ploadu<column>(to + I * stride), square.packet[I])),
     ...);
  (Eigen::internal::pstoreu(to + I * stride, square.packet[I]), ...);
}

// Where it does not lie in whole vectors, by way of memory that does.
template <class T>
[[gnu::noinline]] void store_apart(const product_tile<T>& t, T* to, const T* sums, std::int64_t row_length,
                                   std::int64_t rows) {
  std::int64_t rows_done = 0, columns_done = 0;
  if constexpr (column_size<T> > 1) {
    constexpr std::int64_t size = column_size<T>;
    if (t.c_row == 1) {
      rows_done = rows / size * size;
      columns_done = t.columns / size * size;
      for (std::int64_t j = 0; j < columns_done; j += size)
        for (std::int64_t r = 0; r < rows_done; r += size)
          store_columns(sums + r * row_length + j, row_length, to + r + j * t.c_column, t.c_column, t.adds,
                        std::make_integer_sequence<int, column_size<T>>{});
    }
  }
  for (std::int64_t j = 0; j < t.columns; ++j)
    for (std::int64_t r = j < columns_done ? rows_done : 0; r < rows; ++r) {
      T& c = to[r * t.c_row + j * t.c_column];
      const T x = sums[r * row_length + j];
      c = t.adds ? c + x : x;
    }
}

template <int Vectors, class T, int... R>
[[gnu::always_inline]] inline void compute_tile(const product_tile<T>& t, const T* b, T* c,
                                                std::integer_sequence<int, R...>) {
  constexpr std::make_integer_sequence<int, Vectors> vectors;
  constexpr int rows = sizeof...(R);
  constexpr std::int64_t row_length = Vectors * packet_size<T>;
  wide<T> tile[rows][Vectors];
  (clear_vectors(tile[R], vectors), ...);
  const T* const a[] = {t.a + R * t.a_row...};
  for (std::int64_t k = 0, at = 0; k < t.depth; ++k, at += t.a_column, b += t.b_row) {
    wide<T> x[Vectors];
    load_vectors(b, x, vectors);
    (add_vectors(a[R][at], x, tile[R], vectors), ...);
  }
  if (t.c_column == 1 && (masks_memory<T> || t.columns == row_length)) {
    const valid_lanes<T> last(t.columns - (Vectors - 1) * packet_size<T>);
    (store_vectors(tile[R], t.adds, c + R * t.c_row, last, vectors), ...);
  } else {
    T sums[rows * row_length];
    (store_vectors(tile[R], false, sums + R * row_length, valid_lanes<T>(packet_size<T>), vectors), ...);
    store_apart(t, c, sums, row_length, rows);
  }
}

/// Whether a tile of few columns has vectors of half the size, of which a processor multiplies twice as many,
/// and enough rows for them not to wait for themselves.
template <class T>
inline constexpr bool has_narrow_tiles = product_rows >= 8 && 2 * column_size<T> == packet_size<T>;

template <class T, int... R>
[[gnu::always_inline]] inline void compute_narrow_tile(const product_tile<T>& t,
                                                       std::integer_sequence<int, R...>) {
  constexpr std::int64_t size = column_size<T>;
  constexpr int rows = sizeof...(R);
  const T* const a[] = {t.a + R * t.a_row...};
  auto zero = column_of_tile<T>();
  using vector = decltype(zero);
  zero = Eigen::internal::pset1<vector>(T(-0.0));
  vector tile[] = {((void)R, zero)...};
  const T* b = t.b;
  for (std::int64_t k = 0, at = 0; k < t.depth; ++k, at += t.a_column, b += t.b_row) {
    const vector x = Eigen::internal::ploadu<vector>(b);
    ((tile[R] = Eigen::internal::pmadd(Eigen::internal::pset1<vector>(a[R][at]), x, tile[R])), ...);
  }
  if (t.c_column == 1 && t.columns == size && !t.adds) {
    (Eigen::internal::pstoreu(t.c + R * t.c_row, tile[R]), ...);
  } else {
    T sums[rows * size];
    (Eigen::internal::pstoreu(sums + R * size, tile[R]), ...);
    store_apart(t, t.c, sums, size, rows);
  }
}
template <class T>
[[gnu::noinline]] void compute_narrow_tiles(const product_tile<T>& t) {
  compute_narrow_tile(t, std::make_integer_sequence<int, product_rows>{});
}

template <int Rows, int Vectors, class T>
[[gnu::noinline]] void compute_tiles(const product_tile<T>& t) {
  const T* b = t.b;
  T* c = t.c;
  for (std::int64_t left = t.panels;; b += t.b_panel, c += Vectors * packet_size<T> * t.c_column) {
    compute_tile<Vectors>(t, b, c, std::make_integer_sequence<int, Rows>{});
    if (--left == 0) return;
  }
}

}  // namespace detail

/// So many rows does the next tile have where so many are left. Where there are few registers, these are as
/// few tiles as can be, and the last ones of about the same rows: those of 5 take no longer than they must.
constexpr int rows_of_tile(std::int64_t left) {
  if constexpr (has_many_registers) {
    return left >= product_rows ? product_rows : left >= 4 ? 4 : left >= 2 ? 2 : 1;
  } else {
    if (left >= 4 * product_rows) return product_rows;
    const std::int64_t tiles = (left + product_rows - 1) / product_rows;
    return static_cast<int>((left + tiles - 1) / tiles);
  }
}

/// So many tiles of a left operand are packed at once where so many are left, else one after the other. Lines
/// of memory that are far apart are read as a whole then, and once.
inline constexpr int tiles_together = 4;
constexpr int packed_tiles(std::int64_t rows_left) {
  const std::int64_t rows_of_others = (tiles_together - 1) * product_rows;
  const bool all_are_full =
      rows_left > rows_of_others && rows_of_tile(rows_left - rows_of_others) == product_rows;
  return all_are_full ? tiles_together : 1;
}

namespace detail {

/// The kernels of tiles with so many rows, which are some that rows_of_tile() gives, of each number of
/// vectors.
template <class T>
using tiles_by_vectors = std::array<void (*)(const product_tile<T>&), product_vectors>;
template <int Rows, class T, int... V>
constexpr tiles_by_vectors<T> make_tiles_of(std::integer_sequence<int, V...>) {
  return {compute_tiles<rows_of_tile(Rows), V + 1, T>...};
}
template <class T, int... R>
constexpr auto make_tiles(std::integer_sequence<int, R...>) {
  return std::array{make_tiles_of<R + 1, T>(std::make_integer_sequence<int, product_vectors>{})...};
}

}  // namespace detail

/// Computes tiles of rows_of_tile() rows and of at most product_columns columns; of all of these if there are
/// several.
template <class T>
void run_tiles(const product_tile<T>& t, int rows) {
  if constexpr (detail::has_narrow_tiles<T>)
    if (rows == product_rows && t.columns <= detail::column_size<T>) return detail::compute_narrow_tiles(t);
  const std::int64_t vectors = (t.columns + packet_size<T> - 1) / packet_size<T>;
  static constexpr auto kernels = detail::make_tiles<T>(std::make_integer_sequence<int, product_rows>{});
  kernels[static_cast<std::size_t>(rows - 1)][static_cast<std::size_t>(vectors - 1)](t);
}

}  // namespace tapeless::cpu_kernels
