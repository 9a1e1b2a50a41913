// SPDX-License-Identifier: BSL-1.0
// The sums of convolutions, over elements that are packed so that all positions of a window's element are
// neighbours: vectors of positions, and as many sums at once as there are registers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/cpu/vectors/total_of_lanes.hpp>
#include <tapeless/run/cpu/vectors/valid_lanes.hpp>
#include <tapeless/run/cpu/vectors/vector_selection.hpp>

namespace tapeless::cpu_kernels {

/// How many rows of weights are multiplied at once, with how many vectors; and with how many windows'
/// elements rows of gradients are.
inline constexpr int rows_at_once = has_many_registers ? 8 : 4;
inline constexpr int vectors_at_once = has_many_registers ? 3 : 2;
inline constexpr int gradient_rows_at_once = has_many_registers ? 4 : 2;
inline constexpr int taps_at_once = has_many_registers ? 6 : 4;

/// The elements of a window that are summed up: element k of the window at position p is
/// source[offsets[k] + p].
template <class T>
struct window_taps {
  const T* source;
  const std::int64_t* offsets;
  std::int64_t count;
};

namespace detail {

/// f(0), ..., f(Count - 1), each with its number as a constant.
template <int Count, class F>
[[gnu::always_inline]] inline void unrolled(F f) {
  [&]<int... I>(std::integer_sequence<int, I...>) TAPELESS_INLINED {
    (f(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, Count>{});
}

template <int Rows, int Vectors, class T>
void sum_tile(const window_taps<T>& taps, std::int64_t position, const T* weights, T* sums,
              std::int64_t row_length) {
  constexpr int width = packet_size<T>;
  wide<T> tile[Rows][Vectors];
  unrolled<Rows>([&](auto r) { unrolled<Vectors>([&](auto v) { tile[r][v] = splat(T(0)); }); });
  for (std::int64_t k = 0; k < taps.count; ++k) {
    const T* seen = taps.source + taps.offsets[k] + position;
    wide<T> x[Vectors];
    unrolled<Vectors>([&](auto v) { x[v] = load(seen + v * width); });
    unrolled<Rows>([&](auto r) {
      const wide<T> weight = splat(weights[k * Rows + r]);
      unrolled<Vectors>([&](auto v) { tile[r][v] = multiply_add(weight, x[v], tile[r][v]); });
    });
  }
  unrolled<Rows>([&](auto r) {
    unrolled<Vectors>([&](auto v) { store(sums + r * row_length + position + v * width, tile[r][v]); });
  });
}

template <int Rows, class T>
void sum_rows(const window_taps<T>& taps, std::int64_t positions, const T* weights, T* sums) {
  constexpr std::int64_t width = packet_size<T>, step = vectors_at_once * width;
  std::int64_t p = 0;
  for (; p + step <= positions; p += step) sum_tile<Rows, vectors_at_once>(taps, p, weights, sums, positions);
  for (; p < positions; p += width) sum_tile<Rows, 1>(taps, p, weights, sums, positions);
}

// Calls f with the first row and the first of the windows' elements of each tile, its rows of gradients,
// which are so far apart, and its elements' offsets. What is not there is the last one again.
template <int Rows, class T, class F>
[[gnu::always_inline]] inline void for_each_tile(std::int64_t rows, const window_taps<T>& taps,
                                                 const T* gradients, std::int64_t row_length, const F& f) {
  for (std::int64_t row = 0; row < rows; row += Rows)
    for (std::int64_t tap = 0; tap < taps.count; tap += taps_at_once) {
      const T* of_rows[Rows];
      std::int64_t offsets[taps_at_once];
      for (int r = 0; r < Rows; ++r) of_rows[r] = gradients + std::min(row + r, rows - 1) * row_length;
      for (int k = 0; k < taps_at_once; ++k) offsets[k] = taps.offsets[std::min(tap + k, taps.count - 1)];
      f(row, tap, of_rows, offsets);
    }
}

template <int Rows, class T>
void multiply_tile(const window_taps<T>& taps, std::int64_t begin, std::int64_t end,
                   const T* const* gradients, const std::int64_t* offsets,
                   wide<T> (&tile)[Rows][taps_at_once]) {
  unrolled<Rows>([&](auto r) { unrolled<taps_at_once>([&](auto k) { tile[r][k] = splat(T(0)); }); });
  for (std::int64_t p = begin; p < end; p += packet_size<T>) {
    wide<T> g[Rows];
    unrolled<Rows>([&](auto r) { g[r] = load(gradients[r] + p); });
    unrolled<taps_at_once>([&](auto k) {
      const wide<T> x = load(taps.source + offsets[k] + p);
      unrolled<Rows>([&](auto r) { tile[r][k] = multiply_add(g[r], x, tile[r][k]); });
    });
  }
}

}  // namespace detail

/// How many of `rows` rows sum_windows takes at once: the others are padding, of weights that are zero.
constexpr int tile_of_rows(std::int64_t rows) {
  return rows == 1 ? 1 : rows <= rows_at_once / 2 ? rows_at_once / 2 : rows_at_once;
}

/// sums[r * positions + p] = sum over k of weights[k * Rows + r] * source[offsets[k] + p], for r < Rows and
/// p < positions. Rows is 1, rows_at_once / 2 or rows_at_once; positions a multiple of a vector's size.
template <class T>
void sum_windows(int rows, const window_taps<T>& taps, std::int64_t positions, const T* weights, T* sums) {
  if (rows == 1) return detail::sum_rows<1>(taps, positions, weights, sums);
  if (rows == rows_at_once) return detail::sum_rows<rows_at_once>(taps, positions, weights, sums);
  detail::sum_rows<rows_at_once / 2>(taps, positions, weights, sums);
}

/// products[r * count + k] += sum over p of gradients[r * positions + p] * source[offsets[k] + p], for r <
/// rows and k < count, with all positions; these are a multiple of a vector's size.
template <int Rows, class T>
void multiply_windows(std::int64_t rows, const window_taps<T>& taps, std::int64_t positions,
                      const T* gradients, T* products) {
  constexpr std::int64_t step = 1024;  // so many positions of what is multiplied stay in the L1 cache
  for (std::int64_t begin = 0; begin < positions; begin += step)
    detail::for_each_tile<Rows>(
        rows, taps, gradients, positions,
        [&](std::int64_t row, std::int64_t tap, const T* const* of_rows,
            const std::int64_t* offsets) TAPELESS_INLINED {
          wide<T> tile[Rows][taps_at_once];
          detail::multiply_tile<Rows>(taps, begin, std::min(begin + step, positions), of_rows, offsets, tile);
          for (int r = 0; r < Rows && row + r < rows; ++r)
            for (int k = 0; k < taps_at_once && tap + k < taps.count; ++k)
              products[(row + r) * taps.count + tap + k] += Eigen::internal::predux(tile[r][k].p);
        });
}

/// Rows of positions, `columns` in each: row q of image n begins at source[(n * image_rows + q) * row_length]
/// where its windows are, and at gradients[(n * rows + q) * whole columns], zeros behind it to a whole
/// vector.
struct window_rows {
  std::int64_t images, rows, columns, image_rows, row_length;

  template <class T>
  constexpr std::int64_t whole_columns() const {
    return (columns + packet_size<T> - 1) / packet_size<T> * packet_size<T>;
  }
};

namespace detail {

// The tile stays in registers: nothing takes its address, or asks for a number of it that is no constant.
template <int Rows, class T>
[[gnu::noinline]] void multiply_tile_of_rows(const T* source, const window_rows& at,
                                             const T* const* gradients, const std::int64_t* offsets,
                                             T* totals) {
  constexpr std::int64_t width = packet_size<T>;
  wide<T> tile[Rows][taps_at_once];
  unrolled<Rows>([&](auto r) { unrolled<taps_at_once>([&](auto k) { tile[r][k] = splat(T(0)); }); });
  const T *of_rows[Rows], *of_taps[taps_at_once];
  unrolled<Rows>([&](auto r) { of_rows[r] = gradients[r]; });
  unrolled<taps_at_once>([&](auto k) { of_taps[k] = source + offsets[k]; });
  std::int64_t here = 0, seen = 0;
  const auto add = [&](auto lanes, std::int64_t count) TAPELESS_INLINED {
    wide<T> g[Rows];
    unrolled<Rows>([&](auto r) { g[r] = load(of_rows[r] + here); });
    unrolled<taps_at_once>([&](auto k) {
      wide<T> x = load(of_taps[k] + seen, lanes);
      if constexpr (!masks_memory<T> && std::is_same_v<decltype(lanes), valid_lanes<T>>)
        x = first_lanes(x, count, T(0));  // what is behind the row is in no window
      unrolled<Rows>([&](auto r) { tile[r][k] = multiply_add(g[r], x, tile[r][k]); });
    });
    here += width;
  };
  const std::int64_t rest = at.columns % width, whole = at.columns - rest;
  const valid_lanes<T> last(rest);
  for (std::int64_t n = 0; n < at.images; ++n, seen += (at.image_rows - at.rows) * at.row_length)
    for (std::int64_t q = 0; q < at.rows; ++q, seen += at.row_length - whole) {
      for (const std::int64_t end = seen + whole; seen < end; seen += width) add(all_lanes<T>(), width);
      if (rest > 0) add(last, rest);
    }
  unrolled<Rows>([&](auto r) {
    unrolled<taps_at_once>([&](auto k) { totals[r * taps_at_once + k] = sum_of_lanes(tile[r][k]); });
  });
}

}  // namespace detail

/// products[r * count + k] = sum over all positions of gradients[r] * source[offsets[k] + position], in the
/// order that gradient_order::over_columns names.
template <int Rows, class T>
void multiply_rows(std::int64_t rows, const window_taps<T>& taps, const window_rows& at, const T* gradients,
                   T* products) {
  const std::int64_t of_row = at.images * at.rows * at.whole_columns<T>();
  detail::for_each_tile<Rows>(
      rows, taps, gradients, of_row,
      [&](std::int64_t row, std::int64_t tap, const T* const* of_rows, const std::int64_t* offsets)
          TAPELESS_INLINED {
            T totals[Rows * taps_at_once];
            detail::multiply_tile_of_rows<Rows>(taps.source, at, of_rows, offsets, totals);
            for (int r = 0; r < Rows && row + r < rows; ++r)
              for (int k = 0; k < taps_at_once && tap + k < taps.count; ++k)
                products[(row + r) * taps.count + tap + k] = totals[r * taps_at_once + k];
          });
}

}  // namespace tapeless::cpu_kernels
