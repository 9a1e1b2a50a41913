// SPDX-License-Identifier: BSL-1.0
// Blocks of images, packed as packed_planes.hpp has them, but with vectors of channels in place of numbers.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/run/cpu/convolution/packed_planes.hpp>
#include <tapeless/run/cpu/vectors/transposition.hpp>

namespace tapeless::cpu_kernels {

/// Channels in vectors, as many in each but the last one; the other numbers of a vector are zero.
struct channel_lanes {
  std::int64_t channels, vectors, used;

  static constexpr channel_lanes of(std::int64_t channels, std::int64_t width) {
    const std::int64_t vectors = (channels + width - 1) / width;
    return {channels, vectors, vectors == 0 ? 0 : (channels + vectors - 1) / vectors};
  }
  constexpr std::int64_t first(std::int64_t vector) const { return vector * used; }
  constexpr std::int64_t used_of(std::int64_t vector) const {
    return std::clamp<std::int64_t>(channels - first(vector), 0, used);
  }
};

namespace detail {

/// Number j of the vector at to(i) is number i of the one at from(j), for a vector's size of vectors.
template <class T, class From, class To>
[[gnu::always_inline]] inline void transpose(From from, To to) {
  constexpr int width = packet_size<T>;
  square<T> block;
  for (int i = 0; i < width; ++i) block.packet[i] = load(from(i)).p;
  transpose_vectors(block);
  for (int i = 0; i < width; ++i) store(to(i), wide<T>{block.packet[i]});
}

}  // namespace detail

/// Packs channels of images, the first of which starts at `from`: [phase, vector, image, row, column, channel
/// of the vector], for the vectors [begin, end). What is outside of the image is 0. `rows_of_channels` has
/// room for a vector's size of rows, each of whole vectors; behind `to` there is room for a vector's size of
/// vectors.
template <class Number, class T>
void pack_channels(const image_phases& image, const channel_lanes& lanes, std::int64_t begin,
                   std::int64_t end, const packed_planes& planes, const T* from, Number* rows_of_channels,
                   Number* to) {
  constexpr std::int64_t width = packet_size<Number>;
  const std::int64_t last_row = planes.first_row + planes.rows,
                     last_column = planes.first_column + planes.columns,
                     stride = (planes.columns + width - 1) / width * width;
  std::fill_n(rows_of_channels, width * stride, Number(0));
  for (std::int64_t a = 0; a < image.phases[0]; ++a)
    for (std::int64_t b = 0; b < image.phases[1]; ++b) {
      const image_phases::inside rows = image.elements_inside(0, a, planes.first_row, last_row),
                                 columns = image.elements_inside(1, b, planes.first_column, last_column);
      const std::int64_t before = columns.first - planes.first_column, count = columns.last - columns.first,
                         after = planes.columns - before - count;
      for (std::int64_t v = begin; v < end; ++v) {
        const std::int64_t used = lanes.used_of(v);
        for (std::int64_t c = 0; c < width; ++c) {
          fill_row(rows_of_channels + c * stride, c < used ? before : planes.columns, Number(0));
          if (c < used) fill_row(rows_of_channels + c * stride + before + count, after, Number(0));
        }
        for (std::int64_t n = 0; n < planes.images; ++n) {
          const T* const seen = from + (n * image.channels + lanes.first(v)) * image.elements();
          for (std::int64_t q = planes.first_row; q < last_row; ++q, to += planes.columns * width) {
            if (q < rows.first || q >= rows.last || count == 0) {
              fill_row(to, planes.columns * width, Number(0));
              continue;
            }
            const T* row = seen + image.index(0, q, a) * image.extent[1] + image.index(1, columns.first, b);
            for (std::int64_t c = 0; c < used; ++c, row += image.elements()) {
              fetch_next_image(image, row, count * image.stride[1]);
              copy_row(row, image.stride[1], count, rows_of_channels + c * stride + before, 1);
            }
            for (std::int64_t j = 0; j < planes.columns; j += width)
              detail::transpose<Number>([&](int i) { return rows_of_channels + i * stride + j; },
                                        [&](int i) { return to + (j + i) * width; });
          }
        }
      }
    }
}

/// Writes sums of a phase, `used` channels of them, to where they belong in the images, the first of which
/// has the first channel at `to`. A pixel's sums are `pixel` numbers behind those of the one before, those of
/// a row `row` numbers behind the row before. Behind all there is room for a vector's size of pixels.
template <class T, class Number>
void unpack_channels(const image_phases& image, std::int64_t a, std::int64_t b, const packed_planes& planes,
                     std::int64_t rows, std::int64_t columns, const Number* from, std::int64_t pixel,
                     std::int64_t row, std::int64_t used, Number* rows_of_channels, T* to) {
  constexpr std::int64_t width = packet_size<Number>;
  const image_phases::inside down = image.elements_inside(0, a, planes.first_row, planes.first_row + rows),
                             across = image.elements_inside(1, b, planes.first_column,
                                                            planes.first_column + columns);
  const std::int64_t count = across.last - across.first, stride = (columns + width - 1) / width * width;
  if (count == 0) return;
  for (std::int64_t n = 0; n < planes.images; ++n, to += image.channels * image.elements())
    for (std::int64_t q = down.first; q < down.last; ++q) {
      const Number* const sums = from + (n * rows + q - planes.first_row) * row;
      for (std::int64_t j = 0; j < columns; j += width)
        detail::transpose<Number>([&](int i) { return sums + (j + i) * pixel; },
                                  [&](int i) { return rows_of_channels + i * stride + j; });
      T* written = to + image.index(0, q, a) * image.extent[1] + image.index(1, across.first, b);
      for (std::int64_t c = 0; c < used; ++c, written += image.elements()) {
        fetch_next_image(image, written, count * image.stride[1]);
        copy_row(rows_of_channels + c * stride + (across.first - planes.first_column), 1, count, written,
                 image.stride[1]);
      }
    }
}

}  // namespace tapeless::cpu_kernels
