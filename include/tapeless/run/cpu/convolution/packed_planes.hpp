// SPDX-License-Identifier: BSL-1.0
// Blocks of images, packed for what looks through windows: padded, and split by the stride, so that a
// window's element is as far from another one at every position.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <tapeless/run/cpu/vectors/neighbour_lanes.hpp>
#include <tapeless/run/cpu/vectors/valid_lanes.hpp>

namespace tapeless::cpu_kernels {

/// Images of [.., extent[0], extent[1]] elements as windows see them. Along each axis, element q of phase a
/// is the image's element q * stride + a - origin, which may be outside the image.
struct image_phases {
  std::int64_t channels = 0;  // of one image, over all groups
  std::int64_t extent[2] = {}, stride[2] = {1, 1}, origin[2] = {}, phases[2] = {1, 1};
  bool are_far = false;  // all images do not fit into a near cache

  constexpr std::int64_t elements() const { return extent[0] * extent[1]; }
  constexpr std::int64_t index(int axis, std::int64_t q, std::int64_t phase) const {
    return q * stride[axis] + phase - origin[axis];
  }
  /// The elements q of a phase, from `begin` on and before `end`, that are inside the image: [first, last).
  struct inside {
    std::int64_t first, last;
  };
  constexpr inside elements_inside(int axis, std::int64_t phase, std::int64_t begin, std::int64_t end) const {
    const std::int64_t least = origin[axis] - phase, most = extent[axis] + origin[axis] - phase;
    const std::int64_t s = stride[axis];
    const std::int64_t first = least <= 0 ? 0 : (least + s - 1) / s,
                       last = most <= 0 ? 0 : (most + s - 1) / s;
    const std::int64_t from = std::clamp(first, begin, end);
    return {from, std::clamp(last, from, end)};
  }
};

/// So many elements of an image in each of its phases: `images` images, the rows from first_row on.
struct packed_planes {
  std::int64_t images = 0, first_row = 0, rows = 0, first_column = 0, columns = 0;

  constexpr std::int64_t plane() const { return rows * columns; }
  /// From one channel to the next: all images of a channel are neighbours.
  constexpr std::int64_t channel() const { return images * plane(); }
};

namespace detail {

/// f(first element, how many) of each vector of a row, the last of which may be short.
template <class T, class F>
[[gnu::always_inline]] inline void for_vectors_of_row(std::int64_t count, F f) {
  constexpr std::int64_t width = packet_size<T>;
  std::int64_t j = 0;
  for (; j + width <= count; j += width) f(j, all_lanes<T>());
  if (j < count) f(j, valid_lanes<T>(count - j));
}

}  // namespace detail

/// Rows are short: functions of the standard library take longer to be called than to copy one.
template <class T>
void fill_row(T* to, std::int64_t count, T x) {
  if constexpr (masks_memory<T>) {
    detail::for_vectors_of_row<T>(count, [&](std::int64_t j, auto lanes) { store(to + j, splat(x), lanes); });
  } else {
    std::fill_n(to, count, x);
  }
}
template <class T>
void copy_row(const T* from, std::int64_t count, T* to) {
  if constexpr (masks_memory<T>) {
    detail::for_vectors_of_row<T>(
        count, [&](std::int64_t j, auto lanes) { store(to + j, load(from + j, lanes), lanes); });
  } else {
    std::copy_n(from, count, to);
  }
}
/// Every second element of a row becomes a neighbour of the next one. Reads nothing behind the last.
template <class T>
void copy_every_second(const T* from, std::int64_t count, T* to) {
  constexpr std::int64_t width = packet_size<T>;
  std::int64_t j = 0;
  for (; j + width < count; j += width)
    store(to + j, wide<T>{evens(load(from + 2 * j).p, load(from + 2 * j + width).p)});
  if constexpr (masks_memory<T>) {
    const std::int64_t seen = 2 * (count - j) - 1;
    const wide<T> x = load(from + 2 * j, valid_lanes<T>(std::min(seen, width))),
                  y = load(from + 2 * j + width, valid_lanes<T>(std::max<std::int64_t>(seen - width, 0)));
    store(to + j, wide<T>{evens(x.p, y.p)}, valid_lanes<T>(count - j));
  } else {
    for (; j < count; ++j) to[j] = from[2 * j];
  }
}
/// Neighbours become every second element of a row, of which the others stay as they are.
template <class T>
void copy_to_every_second(const T* from, std::int64_t count, T* to) {
  if constexpr (masks_memory<T>) {
    constexpr std::int64_t half = packet_size<T> / 2;
    detail::for_vectors_of_row<T>(count, [&](std::int64_t j, auto lanes) {
      const wide<T> x = load(from + j, lanes);
      const std::int64_t first = std::min(count - j, half), second = std::min(count - j - first, half);
      store(to + 2 * j, wide<T>{first_twice(x.p)}, firsts_of_pairs<T>(first));
      store(to + 2 * (j + half), wide<T>{second_twice(x.p)}, firsts_of_pairs<T>(second));
    });
  } else {
    for (std::int64_t j = 0; j < count; ++j) to[2 * j] = from[j];
  }
}
template <class To, class From>
[[gnu::noinline]] void copy_strided_row(const From* from, std::int64_t stride, std::int64_t count, To* to,
                                        std::int64_t to_stride) {
  if constexpr (std::is_same_v<To, From> && many_lanes<To>) {
    if (stride == 2 && to_stride == 1) return copy_every_second(from, count, to);
    if (stride == 1 && to_stride == 2) return copy_to_every_second(from, count, to);
  }
  for (std::int64_t j = 0; j < count; ++j) to[j * to_stride] = static_cast<To>(from[j * stride]);
}
template <class To, class From>
[[gnu::always_inline]] inline void copy_row(const From* from, std::int64_t stride, std::int64_t count, To* to,
                                            std::int64_t to_stride) {
  if constexpr (std::is_same_v<To, From>)
    if (stride == 1 && to_stride == 1) return copy_row(from, count, to);
  copy_strided_row(from, stride, count, to, to_stride);
}

/// Fetches the row of the next image that belongs to this one, of so many elements; there need not be a next
/// image. Processors do not read ahead what is read by masked vectors, as short rows are. Inlined, or g++
/// takes the call for one that does nothing.
template <class T>
[[gnu::always_inline]] inline void fetch_next_image([[maybe_unused]] const image_phases& image,
                                                    [[maybe_unused]] const T* row,
                                                    [[maybe_unused]] std::int64_t count) {
#ifdef __GNUC__
  if (!masks_memory<T> || !image.are_far) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(row) +
                     static_cast<std::uintptr_t>(image.channels * image.elements()) * sizeof(T);
  for (std::int64_t i = 0; i < count; i += packet_size<T>)
    __builtin_prefetch(reinterpret_cast<const void*>(begin + static_cast<std::uintptr_t>(i) * sizeof(T)));
#endif
}

/// Packs channels of images, the first of which starts at `from`: [phase, channel, image, row, column]. What
/// is outside of the image is `outside`.
template <class Number, class T>
void pack(const image_phases& image, std::int64_t channels, const packed_planes& planes, const T* from,
          Number outside, Number* to) {
  const std::int64_t last_row = planes.first_row + planes.rows,
                     last_column = planes.first_column + planes.columns;
  for (std::int64_t a = 0; a < image.phases[0]; ++a)
    for (std::int64_t b = 0; b < image.phases[1]; ++b) {
      const image_phases::inside rows = image.elements_inside(0, a, planes.first_row, last_row),
                                 columns = image.elements_inside(1, b, planes.first_column, last_column);
      const std::int64_t before = columns.first - planes.first_column, count = columns.last - columns.first,
                         s = image.stride[1];
      for (std::int64_t c = 0; c < channels; ++c)
        for (std::int64_t n = 0; n < planes.images; ++n) {
          const T* seen = from + (n * image.channels + c) * image.elements();
          for (std::int64_t q = planes.first_row; q < last_row; ++q, to += planes.columns) {
            if (q < rows.first || q >= rows.last || count == 0) {
              fill_row(to, planes.columns, outside);
              continue;
            }
            if (before > 0) fill_row(to, before, outside);
            if (before + count < planes.columns)
              fill_row(to + before + count, planes.columns - before - count, outside);
            const T* row = seen + image.index(0, q, a) * image.extent[1] + image.index(1, columns.first, b);
            fetch_next_image(image, row, s * count);
            copy_row(row, s, count, to + before, 1);
          }
        }
    }
}

/// Writes one channel's sums of a phase to where they belong in the images, the first of which has the
/// channel at `to`. Rows of sums are planes.columns apart; their first `columns` are written.
template <class T, class Number>
void unpack(const image_phases& image, std::int64_t a, std::int64_t b, const packed_planes& planes,
            std::int64_t rows, std::int64_t columns, const Number* from, T* to) {
  const image_phases::inside down = image.elements_inside(0, a, planes.first_row, planes.first_row + rows),
                             across = image.elements_inside(1, b, planes.first_column,
                                                            planes.first_column + columns);
  const std::int64_t s = image.stride[1], count = across.last - across.first;
  if (count == 0) return;
  for (std::int64_t n = 0; n < planes.images; ++n, to += image.channels * image.elements())
    for (std::int64_t q = down.first; q < down.last; ++q) {
      const Number* row = from + n * planes.plane() + (q - planes.first_row) * planes.columns +
                          (across.first - planes.first_column);
      T* written = to + image.index(0, q, a) * image.extent[1] + image.index(1, across.first, b);
      fetch_next_image(image, written, s * count);
      copy_row(row, 1, count, written, s);
    }
}

}  // namespace tapeless::cpu_kernels
