// SPDX-License-Identifier: BSL-1.0
// Convolutions of many channels, and their transposes: vectors go over channels, so that no position between
// images or rows is computed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tapeless/run/common/order_of_convolutions.hpp>
#include <tapeless/run/cpu/convolution/channel_kernel.hpp>
#include <tapeless/run/cpu/convolution/channel_tiles.hpp>
#include <tapeless/run/cpu/convolution/packed_channels.hpp>
#include <tapeless/run/cpu/convolution/packed_source.hpp>

namespace tapeless::cpu_kernels {

/// One thread's share of such a convolution: y, or x, its transpose.
template <class T, convolution_part Part>
class channel_sums : channel_kernel<T, Part> {
  using base = channel_kernel<T, Part>;
  using number = typename base::number;
  using base::for_each_group, base::for_each_block, base::for_each_panel, base::source_of, base::target_of,
      base::weight_at;
  using base::width, base::g_, base::share_, base::room_, base::lanes_, base::packed_;

 public:
  channel_sums(const convolution_arguments& c, const convolution_geometry& g, const channel_share& share,
               std::byte* memory)
      : base(c, g, share, memory) {}

  void run() {
    for_each_group([&](std::int64_t group) {
      pack_weights(group);
      for_each_block(share_.rows, [&](std::int64_t image, const packed_planes& planes, std::int64_t rows) {
        sum_block(group, image, planes, rows);
      });
    });
  }

 private:
  const bool by_channels_ = sums_up_by_channels(g_.arguments);

  template <class F>
  void for_each_phase(F f) const {
    for (std::int64_t a = 0; a < g_.target.phases[0]; ++a)
      for (std::int64_t b = 0; b < g_.target.phases[1]; ++b) f(a, b);
  }
  // [vector of the target's channels, phase, vector of the source's, element of the window, channel there];
  // or with the channel before the element, where sums are in that order.
  void pack_weights(std::int64_t group) {
    const std::int64_t all = lanes_.source.vectors, used = lanes_.source.used, window = g_.window(),
                       depth = all * used * window;
    // Where the element of a window of the first channel is, and of how many elements it is one.
    std::int64_t *const first = room_.offsets, *const taps_of = first + window, before = 0;
    for_each_phase([&](std::int64_t a, std::int64_t b) {
      std::int64_t taps = 0;
      g_.for_each_tap(a, b, [&](std::int64_t i, std::int64_t j) {
        first[i * g_.kernel[1] + j] = before + (by_channels_ ? 1 : used) * taps++;
      });
      g_.for_each_tap(a, b, [&](std::int64_t i, std::int64_t j) { taps_of[i * g_.kernel[1] + j] = taps; });
      before += all * used * taps;
    });
    std::fill_n(room_.target, share_.vectors.size * depth * width, number(0));
    number* to = room_.target;
    for (std::int64_t v = 0; v < share_.vectors.size; ++v, to += depth * width)
      for (std::int64_t s = 0; s < all; ++s)
        pack_weights(group, share_.vectors.begin + v, s, [&](std::int64_t c, std::int64_t e) {
          return to + (first[e] + s * used * taps_of[e] + c * (by_channels_ ? taps_of[e] : 1)) * width;
        });
  }
  template <class Place>
  void pack_weights(std::int64_t group, std::int64_t v, std::int64_t s, Place place) {
    constexpr bool to_x = Part == convolution_part::x;
    const std::int64_t rows = lanes_.target.used_of(v), channels = lanes_.source.used_of(s),
                       neighbours = to_x ? 1 : channels, columns = neighbours * g_.window(),
                       stride = columns + width;
    std::fill_n(room_.channels, width * stride, number(0));
    for (std::int64_t c = 0; c < channels; c += neighbours) {
      const T* const from = weight_at(group, lanes_.target.first(v), lanes_.source.first(s) + c);
      if (to_x && g_.window() == 1) {
        copy_row(from, 1, rows, place(c, 0), 1);
        continue;
      }
      const std::int64_t row = (to_x ? 1 : g_.source_channels()) * g_.window();
      for (std::int64_t r = 0; r < rows; ++r)
        copy_row(from + r * row, 1, columns, room_.channels + r * stride, 1);
      for (std::int64_t j = 0; j < columns; j += width)
        detail::transpose<number>([&](int i) { return room_.channels + i * stride + j; },
                                  [&](int i) {
                                    const std::int64_t k = j + i;
                                    return k < columns ? place(c + k / g_.window(), k % g_.window())
                                                       : room_.sums;  // not yet used
                                  });
    }
  }

  // What a phase of the target is summed up from. Channel after channel: elements of a window in a row are as
  // far from each other, if windows are neighbours.
  channel_segments find_segments(const packed_planes& planes, std::int64_t a, std::int64_t b) {
    const std::int64_t all = lanes_.source.vectors;
    if (!by_channels_) {
      channel_segments segments{room_.offsets, 0, lanes_.source.used, 1};
      for (std::int64_t s = 0; s < all; ++s)
        g_.for_each_tap(a, b, [&](std::int64_t i, std::int64_t j) {
          room_.offsets[segments.count++] = packed_.element(planes, s, all, i, j);
        });
      return segments;
    }
    std::int64_t taps = 0, rows = 0, row = -1, before = 0, step = width;
    g_.for_each_tap(a, b, [&](std::int64_t i, std::int64_t j) {
      const std::int64_t here = packed_.element(planes, 0, all, i, j);
      if (i == row) {
        step = here - before;
      } else {
        ++rows;
      }
      ++taps, row = i, before = here;
    });
    const bool are_even = Part == convolution_part::x || g_.source.phases[1] == 1;
    channel_segments segments{room_.offsets, 0, are_even && rows > 0 ? taps / rows : 1, step};
    for (std::int64_t s = 0; s < all; ++s)
      for (std::int64_t c = 0; c < lanes_.source.used_of(s); ++c) {
        std::int64_t tap = 0;
        g_.for_each_tap(a, b, [&](std::int64_t i, std::int64_t j) {
          if (tap++ % segments.length == 0)
            room_.offsets[segments.count++] = packed_.element(planes, s, all, i, j) + c;
        });
      }
    return segments;
  }

  void sum_block(std::int64_t group, std::int64_t image, const packed_planes& planes, std::int64_t rows) {
    const std::int64_t all = lanes_.source.vectors;
    pack_channels(g_.source, lanes_.source, 0, all, planes, source_of(image, group), room_.channels,
                  room_.source);
    std::int64_t before = 0;  // of the weights of a vector, those of phases before
    for_each_phase([&](std::int64_t a, std::int64_t b) {
      sum_phase(group, image, planes, rows, a, b, before);
      g_.for_each_tap(a, b, [&](std::int64_t, std::int64_t) { before += all * lanes_.source.used; });
    });
  }
  // Of the phase's rows and columns those that are inside of the images.
  void sum_phase(std::int64_t group, std::int64_t image, const packed_planes& planes, std::int64_t rows,
                 std::int64_t a, std::int64_t b, std::int64_t weights_before) {
    const image_phases::inside down =
        g_.target.elements_inside(0, a, planes.first_row, planes.first_row + rows);
    const image_phases::inside across =
        g_.target.elements_inside(1, b, planes.first_column, planes.first_column + g_.count[1]);
    const packed_planes inside{planes.images, down.first, down.last - down.first, across.first,
                               across.last - across.first};
    const std::int64_t runs_of_row = runs_of(inside.columns),
                       runs = inside.images * inside.rows * runs_of_row,
                       depth = lanes_.source.vectors * lanes_.source.used * g_.window();
    const auto run_at = [&](std::int64_t run) {
      const std::int64_t line = run / runs_of_row, n = line / inside.rows,
                         row = n * planes.rows + line % inside.rows + inside.first_row - planes.first_row,
                         column = run % runs_of_row * run_length + inside.first_column - planes.first_column;
      return room_.source + (row * planes.columns + column) * width;
    };
    const channel_segments segments = find_segments(planes, a, b);
    for_each_panel([&](std::int64_t v, std::int64_t count) {
      const number* const weights =
          room_.target + ((v - share_.vectors.begin) * depth + weights_before) * width;
      const std::int64_t pixel = count * width;
      for (std::int64_t run = 0; run < runs; run += runs_at_once) {
        const number* from[runs_at_once];
        for (int r = 0; r < runs_at_once; ++r) from[r] = run_at(std::min(run + r, runs - 1));
        add_channel_tile<numbers_of::pixels>(static_cast<int>(count), from, segments, weights, depth * width,
                                             room_.sums + run * run_length * pixel, false);
      }
      for (std::int64_t k = 0; k < count; ++k)
        unpack_channels(g_.target, a, b, inside, inside.rows, inside.columns, room_.sums + k * width, pixel,
                        runs_of_row * run_length * pixel, lanes_.target.used_of(v + k), room_.channels,
                        target_of(image, group, lanes_.target.first(v + k)));
    });
  }
};

}  // namespace tapeless::cpu_kernels
