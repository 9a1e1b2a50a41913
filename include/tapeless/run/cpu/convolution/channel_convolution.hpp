// SPDX-License-Identifier: BSL-1.0
// Convolutions of many channels, and their transposes: vectors go over channels, so that no position between
// images or rows is computed, and gradients of weights are added up in registers.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/cpu/convolution/channel_blocks.hpp>

namespace tapeless::cpu_kernels {

/// One thread's share of such a convolution.
template <class T, convolution_part Part>
class channel_kernel {
  using number = computed_as<element_of<T>>;
  using workspace = channel_workspace<number>;
  static constexpr std::int64_t width = packet_size<number>;

 public:
  /// Sums of gradients are in `memory_of_sums`, another such workspace or the same, which the team shares.
  channel_kernel(const convolution_arguments& c, const convolution_geometry& g, const channel_share& share,
                 std::byte* memory, std::byte* memory_of_sums)
      : g_(g),
        share_(share),
        room_(g, Part),
        lanes_(room_.blocks()),
        packed_(g, width),
        source_(reinterpret_cast<const T*>(Part == convolution_part::x ? c.y : c.x)),
        weight_(reinterpret_cast<T*>(c.weight)),
        target_(reinterpret_cast<T*>(Part == convolution_part::x ? c.x : c.y)) {
    room_.place(memory_of_sums);
    number* const sums = room_.sums;
    room_.place(memory);
    if constexpr (Part == convolution_part::weight) room_.sums = sums;
  }

  void run() {
    for_each_group([&](std::int64_t group) {
      if constexpr (Part == convolution_part::weight) {
        for (std::int64_t batch = 0; batch < share_.rows.size; ++batch)
          add_gradients(group, share_.rows.begin + batch);
      } else {
        pack_weights(group);
        for_each_block(share_.rows, [&](std::int64_t image, const packed_planes& planes, std::int64_t rows) {
          sum_block(group, image, planes, rows);
        });
      }
    });
  }

  /// Adds the sums of all batches to the first one's, one after the other: the weight's gradients.
  void finish() {
    for_each_group([&](std::int64_t group) {
      number* const all = room_.sums_of(share_, group, 0);
      for (std::int64_t batch = 1; batch < room_.batches(); ++batch) {
        const number* const more = room_.sums_of(share_, group, batch);
        for (std::int64_t i = 0; i < sums_of_batch(); i += width)
          store(all + i, load(all + i) + load(more + i));
      }
      store_gradients(group, all);
    });
  }

 private:
  const convolution_geometry& g_;
  channel_share share_;
  workspace room_;
  const channel_blocks& lanes_;
  const packed_source packed_;
  const bool by_channels_ = sums_up_by_channels(g_.arguments);
  const T* source_;
  T* weight_;
  T* target_;

  template <class F>
  void for_each_group(F f) const {
    for (std::int64_t i = 0; i < share_.groups.size; ++i) f(share_.groups.begin + i);
  }
  // f(first image, planes, rows of the target's phases)
  template <class F>
  void for_each_block(const range_part& share, F f) const {
    const std::int64_t all = g_.count[0], end = share.begin + share.size;
    std::int64_t images, rows;
    for (std::int64_t at = share.begin; at < end; at += images * rows) {
      const std::int64_t row = at % all;
      rows = std::min({lanes_.rows_at_once, all - row, end - at});
      images = rows == all ? std::min(lanes_.images_at_once, (end - at) / all) : 1;
      f(at / all, g_.planes(images, g_.first[0] + row, rows), rows);
    }
  }
  const T* source_of(std::int64_t image, std::int64_t group) const {
    return source_ + (image * g_.source.channels + group * g_.source_channels()) * g_.source.elements();
  }
  T* target_of(std::int64_t image, std::int64_t group, std::int64_t channel) const {
    return target_ +
           (image * g_.target.channels + group * g_.target_channels() + channel) * g_.target.elements();
  }

  template <class F>
  void for_each_phase(F f) const {
    for (std::int64_t a = 0; a < g_.target.phases[0]; ++a)
      for (std::int64_t b = 0; b < g_.target.phases[1]; ++b) f(a, b);
  }
  /// f(vector, how many) of the share's vectors of the target's channels.
  template <class F>
  void for_each_panel(F f) const {
    const std::int64_t end = share_.vectors.begin + share_.vectors.size;
    for (std::int64_t v = share_.vectors.begin; v < end; v += channel_vectors_at_once)
      f(v, std::min<std::int64_t>(channel_vectors_at_once, end - v));
  }
  // Where the packed source has element (i, j) of the kernel in a vector of channels, one of `vectors`.
  std::int64_t offset_of(const packed_planes& planes, std::int64_t vector, std::int64_t vectors,
                         std::int64_t i, std::int64_t j) const {
    const convolution_geometry::tap down = g_.tap_along(0, i), across = g_.tap_along(1, j);
    const std::int64_t phase = down.source_phase * g_.source.phases[1] + across.source_phase;
    return ((phase * vectors + vector) * planes.channel() + down.shift * planes.columns + across.shift) *
           width;
  }

  // The weight is [out, in / groups, kernel]. Of a target's and a source's channel:
  T* weight_at(std::int64_t group, std::int64_t target, std::int64_t source) const {
    constexpr bool to_x = Part == convolution_part::x;
    const std::int64_t out =
        to_x ? group * g_.source_channels() + source : group * g_.target_channels() + target;
    const std::int64_t ins = to_x ? g_.target_channels() : g_.source_channels(), in = to_x ? target : source;
    return weight_ + (out * ins + in) * g_.window();
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
          room_.offsets[segments.count++] = offset_of(planes, s, all, i, j);
        });
      return segments;
    }
    std::int64_t taps = 0, rows = 0, row = -1, before = 0, step = width;
    g_.for_each_tap(a, b, [&](std::int64_t i, std::int64_t j) {
      const std::int64_t here = offset_of(planes, 0, all, i, j);
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
            room_.offsets[segments.count++] = offset_of(planes, s, all, i, j) + c;
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
    const std::int64_t runs_of_row = workspace::runs_of(inside.columns),
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

  std::int64_t runs_of_gradients() const { return packed_.runs(share_.sources.size); }
  std::int64_t sums_of_batch() const {
    return (runs_of_gradients() + runs_at_once - 1) / runs_at_once * numbers_of_tile * share_.vectors.size *
           width;
  }
  void add_gradients(std::int64_t group, std::int64_t batch) {
    const std::int64_t begin = share_.sources.begin, end = begin + share_.sources.size;
    const std::int64_t runs = runs_of_gradients();
    number* const all = room_.sums_of(share_, group, batch);
    bool adds = false;
    const range_part share = rows_of_batch(g_, room_.batches(), batch);
    for_each_block(share, [&](std::int64_t image, const packed_planes& windows, std::int64_t rows) {
      const packed_planes planes = packed_.planes(windows.images, windows.first_row, rows),
                          pixels{windows.images, windows.first_row, rows, 0, g_.count[1]};
      if (packed_.is_in_rows()) {
        pack(packed_.image(), g_.source_channels(), planes, source_of(image, group), number(0), room_.source);
      } else {
        pack_channels(g_.source, lanes_.source, begin, end, planes, source_of(image, group), room_.channels,
                      room_.source);
      }
      pack_channels(g_.target, lanes_.target, share_.vectors.begin,
                    share_.vectors.begin + share_.vectors.size, pixels,
                    static_cast<const T*>(target_of(image, group, 0)), room_.channels, room_.target);
      const channel_segments segments{room_.offsets, pixels.images * rows, g_.count[1], packed_.step()};
      for (std::int64_t row = 0; row < segments.count; ++row)
        room_.offsets[row] = packed_.row(planes, row / rows, row % rows);
      const auto run_at = [&](std::int64_t run) {
        return room_.source + packed_.run(planes, run, share_.sources.size);
      };
      number* sums = all;
      for_each_panel([&](std::int64_t v, std::int64_t count) {
        const number* const gradients = room_.target + (v - share_.vectors.begin) * pixels.channel() * width;
        for (std::int64_t run = 0; run < runs; run += runs_at_once) {
          const number* from[runs_at_once];
          for (int r = 0; r < runs_at_once; ++r) from[r] = run_at(std::min(run + r, runs - 1));
          add_channel_tile<numbers_of::channels>(static_cast<int>(count), from, segments, gradients,
                                                 pixels.channel() * width, sums, adds);
          sums += runs_at_once * run_length * count * width;
        }
      });
      adds = true;
    });
    if (!adds) std::fill_n(all, sums_of_batch(), number(0));
  }

  void store_gradients(std::int64_t group, const number* sums) {
    const std::int64_t first_source = share_.sources.begin;
    for_each_panel([&](std::int64_t v, std::int64_t count) {
      for (std::int64_t k = 0; k < count; ++k)
        for (std::int64_t s = 0; s < share_.sources.size; ++s) {
          const std::int64_t columns = lanes_.source.used_of(first_source + s) * g_.window(),
                             stride = columns + width;
          for (std::int64_t j = 0; j < columns; j += width)
            detail::transpose<number>(
                [&](int i) {
                  const std::int64_t at = std::min(j + i, columns - 1),
                                     sum = packed_.sum_of(s, at / g_.window(), at % g_.window());
                  return sums + (sum * count + k) * width;
                },
                [&](int i) { return room_.channels + i * stride + j; });
          for (std::int64_t r = 0; r < lanes_.target.used_of(v + k); ++r)
            copy_row(room_.channels + r * stride, 1, columns,
                     weight_at(group, lanes_.target.first(v + k) + r, lanes_.source.first(first_source + s)),
                     1);
        }
      sums += (runs_of_gradients() + runs_at_once - 1) / runs_at_once * numbers_of_tile * count * width;
    });
  }
};

}  // namespace tapeless::cpu_kernels
