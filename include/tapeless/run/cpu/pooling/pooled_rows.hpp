// SPDX-License-Identifier: BSL-1.0
// Poolings by windows of any size that share no element: of rows of the image as they are, without packing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/graph/core/operation.hpp>
#include <tapeless/plan/families/planned_pooling.hpp>
#include <tapeless/run/cpu/vectors/first_numbers.hpp>
#include <tapeless/run/cpu/vectors/valid_lanes.hpp>
#include <tapeless/run/cpu/vectors/vector_selection.hpp>

namespace tapeless::cpu_kernels {

/// Whether windows share no element. Pairs of a row, and windows of one row, are faster packed.
constexpr bool are_apart(const pooling_arguments& c) {
  for (int d = 0; d < 2; ++d)
    if (c.stride[d] < c.kernel[d] || c.padding[d] != 0) return false;
  return c.kernel[0] > 1 && c.kernel[1] > 2;
}

/// Two rows of numbers for the elements of a row of the image, with room for a vector behind each.
template <class T>
struct rows_of_windows {
  rows_of_windows(const pooling_arguments& c, T* room) : largest(room), sums(room + room_for(c) / 2) {}
  static constexpr std::int64_t room_for(const pooling_arguments& c) {
    return 2 * (c.image[1] + c.stride[1] + packet_size<T>);
  }
  T *largest, *sums;
};

namespace detail {

template <class T>
struct full_vectors {
  wide<T> read(const T* from) const { return load(from); }
  void write(T* to, wide<T> x) const { store(to, x); }
};
template <class T>
struct short_vectors {
  std::int64_t count;
  wide<T> read(const T* from) const { return load_first(from, count, T(0)); }
  void write(T* to, wide<T> x) const {
    if constexpr (masks_memory<T>) {
      store(to, x, valid_lanes<T>(count));
    } else {
      T all[packet_size<T>];
      store(all, x);
      std::copy_n(all, count, to);
    }
  }
};
/// f(first element, vectors) for a row vector by vector: what is behind it is neither read nor written.
template <class T, class F>
[[gnu::always_inline]] inline void for_row(std::int64_t count, F f) {
  constexpr std::int64_t width = packet_size<T>;
  std::int64_t j = 0;
  for (; j + width <= count; j += width) f(j, full_vectors<T>());
  if (j < count) f(j, short_vectors<T>{count - j});
}

/// The largest number, NaN if one is NaN; without branches that depend on the numbers.
template <class T>
T largest_of(const T* x, std::int64_t count) {
  T most = x[0];
  bool is_number = x[0] == x[0];
  for (std::int64_t k = 1; k < count; ++k) {
    most = most < x[k] ? x[k] : most;
    is_number = is_number & (x[k] == x[k]);
  }
  return is_number ? most : no_number<T>;
}
template <class T>
T sum_of(const T* x, std::int64_t count) {
  T sum(0);
  for (std::int64_t k = 0; k < count; ++k) sum += x[k];
  return sum;
}

/// The sums of neighbouring windows at once, so that none waits for its own last one; of all elements, or of
/// v where x is y. x and v begin where the first window does.
template <int Windows, class T>
[[gnu::always_inline]] inline void sum_windows(const pooling_arguments& c, const T* x, const T* y, const T* v,
                                               T* sums) {
  T sum[Windows] = {};
  for (std::int64_t i = 0; i < c.kernel[0]; ++i)
    for (std::int64_t j = 0; j < c.kernel[1]; ++j)
      for (int w = 0; w < Windows; ++w) {
        const std::int64_t at = i * c.image[1] + j + w * c.stride[1];
        sum[w] += y == nullptr || x[at] == y[w] ? v[at] : T(0);
      }
  std::copy_n(sum, Windows, sums);
}

/// Each number for the elements of its window, 0 where no window is.
template <class T>
void repeat_in_windows(const pooling_arguments& c, const T* from, T* to) {
  const std::int64_t columns = c.positions[1], kernel = c.kernel[1], stride = c.stride[1];
  for (std::int64_t j = 0; j < columns; ++j) {  // what a vector writes behind its window is written again
    for (std::int64_t k = 0; k < kernel; k += packet_size<T>) store(to + j * stride + k, splat(from[j]));
    std::fill_n(to + j * stride + kernel, stride - kernel, T(0));
  }
  if (columns * stride < c.image[1]) std::fill(to + columns * stride, to + c.image[1], T(0));
}

}  // namespace detail

/// One plane of a pooling with such windows. Sources are those of planned_pooling. All sums begin with 0, as
/// those of packed planes do: of -0 it makes 0.
template <pooling_kind Computes, class T>
void pool_rows(const pooling_arguments& c, const T* const (&sources)[3], T* target,
               const rows_of_windows<T>& row) {
  const std::int64_t columns = c.positions[1], length = c.image[1], stride = c.stride[1];
  const T elements = static_cast<T>(c.kernel[0] * c.kernel[1]);
  for (std::int64_t p = 0; p < c.positions[0]; ++p) {
    const std::int64_t image = p * c.stride[0] * length, first = p * columns;
    if constexpr (Computes == pooling_kind::largest) {
      detail::for_row<T>(length, [&](std::int64_t j, auto vectors) TAPELESS_INLINED {
        const T* const x = sources[0] + image + j;
        wide<T> most = vectors.read(x);
        for (std::int64_t i = 1; i < c.kernel[0]; ++i) most = larger(most, vectors.read(x + i * length));
        store(row.largest + j, most);
      });
      for (std::int64_t j = 0; j < columns; ++j)
        target[first + j] = detail::largest_of(row.largest + j * stride, c.kernel[1]);
    }
    if constexpr (Computes == pooling_kind::tied)
      if (sources[2] == nullptr) {  // counts, which are exact in any order
        detail::repeat_in_windows(c, sources[1] + first, row.largest);
        detail::for_row<T>(length, [&](std::int64_t j, auto vectors) TAPELESS_INLINED {
          const T* const x = sources[0] + image + j;
          const wide<T> most = load(row.largest + j), one = splat(T(1)), zero = splat(T(0));
          wide<T> count = zero;
          for (std::int64_t i = 0; i < c.kernel[0]; ++i)
            count = count + choose(vectors.read(x + i * length) == most, one, zero);
          store(row.sums + j, count);
        });
        for (std::int64_t j = 0; j < columns; ++j)
          target[first + j] = detail::sum_of(row.sums + j * stride, c.kernel[1]);
        continue;
      }
    if constexpr (Computes == pooling_kind::tied || Computes == pooling_kind::mean) {
      constexpr bool compares = Computes == pooling_kind::tied;
      const auto sum = [&](std::int64_t j, auto windows) {
        const std::int64_t at = image + j * stride;
        detail::sum_windows<windows()>(c, sources[0] + at, compares ? sources[1] + first + j : nullptr,
                                       sources[compares ? 2 : 0] + at, target + first + j);
      };
      constexpr int at_once = 8;
      std::int64_t j = 0;
      for (; j + at_once <= columns; j += at_once) sum(j, std::integral_constant<int, at_once>());
      for (; j < columns; ++j) sum(j, std::integral_constant<int, 1>());
      if constexpr (!compares)
        for (j = 0; j < columns; ++j) target[first + j] /= elements;
    }
    if constexpr (gives_image(Computes)) {
      detail::repeat_in_windows(c, sources[Computes == pooling_kind::shared ? 2 : 0] + first, row.sums);
      if constexpr (Computes == pooling_kind::shared) {
        detail::repeat_in_windows(c, sources[1] + first, row.largest);
        for (std::int64_t i = 0; i < c.kernel[0]; ++i) {
          const T* const x = sources[0] + image + i * length;
          T* const to = target + image + i * length;
          detail::for_row<T>(length, [&](std::int64_t j, auto vectors) TAPELESS_INLINED {
            const wide<T> zero = splat(T(0));
            const auto here = vectors.read(x + j) == load(row.largest + j);
            vectors.write(to + j, choose(here, load(row.sums + j), zero) + zero);
          });
        }
      } else {
        for (std::int64_t j = 0; j < length; ++j) row.sums[j] = row.sums[j] / elements + T(0);
        for (std::int64_t i = 0; i < c.kernel[0]; ++i)
          std::copy_n(row.sums, length, target + image + i * length);
      }
      const bool is_last = p + 1 == c.positions[0];
      std::fill(target + image + c.kernel[0] * length,
                target + (is_last ? c.image[0] * length : image + c.stride[0] * length), T(0));
    }
  }
}

}  // namespace tapeless::cpu_kernels
