// SPDX-License-Identifier: BSL-1.0
// Convolutions and their transposes from packed planes that stay in the cache: image by image, or some small
// ones at once. Vectors go over positions; neither windows nor padded images are stored as a whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tapeless/graph/core/aligned.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/order_of_convolutions.hpp>
#include <tapeless/run/cpu/convolution/convolution_geometry.hpp>
#include <tapeless/run/cpu/convolution/packed_planes.hpp>
#include <tapeless/run/cpu/convolution/windowed_sums.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

template <class Number>
constexpr std::int64_t whole_vectors(std::int64_t count) {
  constexpr std::int64_t width = packet_size<Number>;
  return (count + width - 1) / width * width;
}

/// The parts of a thread's workspace.
template <class Number>
class plane_workspace {
 public:
  constexpr explicit plane_workspace(const convolution_geometry& g, convolution_part part) {
    const std::int64_t taps = g.source_channels() * g.window(), rows = g.target_channels(),
                       positions = whole_vectors<Number>(g.positions(g.images_at_once(), g.rows_at_once()));
    source_ = g.block() + packet_size<Number>;
    if (part == convolution_part::weight) {
      std::int64_t room = positions;
      if (order_of_gradient(g.arguments, packet_size<Number>) == gradient_order::over_columns) {
        const window_rows at = g.rows_of_positions();
        room = std::max(room, at.images * at.rows * at.whole_columns<Number>());
      }
      sums_ = rows * room;
      weights_ = rows * taps;
    } else {
      sums_ = std::min<std::int64_t>(rows_at_once, tile_of_rows(rows)) * positions;
      weights_ = (rows + rows_at_once) * taps;
    }
    taps_ = taps;
  }
  constexpr std::int64_t bytes() const {
    return aligned(source_) + aligned(sums_) + aligned(weights_) + taps_ * std::int64_t{sizeof(std::int64_t)};
  }
  void place(std::byte* at) {
    source = place<Number>(at, aligned(source_));
    sums = place<Number>(at, aligned(sums_));
    weights = place<Number>(at, aligned(weights_));
    offsets = place<std::int64_t>(at, 0);
  }

  Number* source = nullptr;   // packed planes
  Number* sums = nullptr;     // of some rows at all positions; or y's gradients, there
  Number* weights = nullptr;  // packed for tiles of rows; or the weight's gradients
  std::int64_t* offsets = nullptr;

 private:
  std::int64_t source_, sums_, weights_, taps_;

  static constexpr std::int64_t aligned(std::int64_t numbers) {
    return tapeless::detail::aligned(numbers * std::int64_t{sizeof(Number)});
  }
  template <class T>
  static T* place(std::byte*& at, std::int64_t bytes) {
    auto* const here = reinterpret_cast<T*>(at);
    at += bytes;
    return here;
  }
};

}  // namespace detail

/// One thread's share of such a convolution, or of its weight's gradient.
template <class T, convolution_part Part>
class plane_kernel {
  using number = computed_as<element_of<T>>;
  using workspace = detail::plane_workspace<number>;

 public:
  plane_kernel(const convolution_arguments& c, const convolution_geometry& g, const convolution_share& share,
               std::byte* memory)
      : g_(g),
        share_(share),
        room_(g, Part),
        source_(reinterpret_cast<const T*>(Part == convolution_part::x ? c.y : c.x)),
        weight_(reinterpret_cast<T*>(c.weight)),
        target_(reinterpret_cast<T*>(Part == convolution_part::x ? c.x : c.y)) {
    room_.place(memory);
  }

  void run() {
    const std::int64_t each = g_.target_channels();
    for (std::int64_t group = 0; group < g_.groups; ++group) {
      const std::int64_t begin = std::max(share_.first_channel - group * each, std::int64_t{0}),
                         end = std::min(share_.first_channel + share_.channels - group * each, each);
      if (begin >= end) continue;
      if constexpr (Part == convolution_part::weight) {
        add_gradients(group, begin, end - begin);
      } else {
        pack_weights(group, begin, end - begin);
        for_each_block([&](std::int64_t image, std::int64_t images, std::int64_t row, std::int64_t rows) {
          sum_block(group, begin, end - begin, image, g_.planes(images, row, rows), rows);
        });
      }
    }
  }

 private:
  const convolution_geometry& g_;
  convolution_share share_;
  workspace room_;
  const T* source_;
  T* weight_;
  T* target_;

  template <class F>
  void for_each_block(F f) const {
    const std::int64_t images = g_.images_at_once(), rows = g_.rows_at_once(),
                       end = share_.first_image + share_.images;
    for (std::int64_t n = share_.first_image; n < end; n += images)
      for (std::int64_t q = 0; q < g_.count[0]; q += rows)
        f(n, std::min(images, end - n), g_.first[0] + q, std::min(rows, g_.count[0] - q));
  }

  const T* source_of(std::int64_t image, std::int64_t group) const {
    return source_ + (image * g_.source.channels + group * g_.source_channels()) * g_.source.elements();
  }
  T* target_of(std::int64_t image, std::int64_t channel) const {
    return target_ + (image * g_.target.channels + channel) * g_.target.elements();
  }
  template <class F>
  void for_each_phase(F f) const {
    for (std::int64_t a = 0; a < g_.target.phases[0]; ++a)
      for (std::int64_t b = 0; b < g_.target.phases[1]; ++b) f(a, b);
  }
  template <class F>
  static void for_each_tile(std::int64_t rows, F f) {
    for (std::int64_t row = 0; row < rows; row += rows_at_once)
      f(row, std::min<std::int64_t>(rows - row, rows_at_once));
  }

  // [phase, tile of rows, element of the window, row of the tile]; the weight is [out, in / groups, kernel].
  void pack_weights(std::int64_t group, std::int64_t first, std::int64_t rows) {
    constexpr bool to_x = Part == convolution_part::x;
    const std::int64_t ins = to_x ? g_.target_channels() : g_.source_channels(), window = g_.window(),
                       next_row = to_x ? window : ins * window, next_channel = to_x ? ins * window : window,
                       before = group * (to_x ? g_.source_channels() : g_.target_channels()) * ins * window;
    number* to = room_.weights;
    for_each_phase([&](std::int64_t a, std::int64_t b) {
      std::int64_t* const taps = room_.offsets;
      std::int64_t count = 0;
      g_.for_each_tap(a, b, [&](std::int64_t i, std::int64_t j) { taps[count++] = i * g_.kernel[1] + j; });
      for_each_tile(rows, [&](std::int64_t row, std::int64_t used) {
        const T* channel = weight_ + before + (first + row) * next_row;
        const std::int64_t all = tile_of_rows(used);
        for (std::int64_t c = 0; c < g_.source_channels(); ++c, channel += next_channel)
          for (std::int64_t k = 0; k < count; ++k, to += all) {
            const T* from = channel + taps[k];
            for (std::int64_t r = 0; r < used; ++r, from += next_row) to[r] = static_cast<number>(*from);
            for (std::int64_t r = used; r < all; ++r) to[r] = number(0);
          }
      });
    });
  }

  void pack_source(std::int64_t group, std::int64_t image, const packed_planes& planes) {
    const std::int64_t channels = g_.source_channels();
    pack(g_.source, channels, planes, source_of(image, group), number(0), room_.source);
    std::fill_n(room_.source + channels * g_.source.phases[0] * g_.source.phases[1] * planes.channel(),
                packet_size<number>, number(0));
  }
  window_taps<number> find_taps(const packed_planes& planes, std::int64_t a, std::int64_t b) {
    return {room_.source, room_.offsets, g_.find_offsets(planes, a, b, room_.offsets)};
  }

  void sum_block(std::int64_t group, std::int64_t first, std::int64_t channels, std::int64_t image,
                 const packed_planes& planes, std::int64_t rows) {
    pack_source(group, image, planes);
    const std::int64_t positions = detail::whole_vectors<number>(g_.positions(planes.images, rows));
    const number* weights = room_.weights;
    for_each_phase([&](std::int64_t a, std::int64_t b) {
      const window_taps<number> taps = find_taps(planes, a, b);
      for_each_tile(channels, [&](std::int64_t row, std::int64_t count) {
        const int tile = tile_of_rows(count);
        sum_windows(tile, taps, positions, weights, room_.sums);
        weights += tile * taps.count;
        for (std::int64_t r = 0; r < count; ++r)
          unpack(g_.target, a, b, planes, rows, g_.count[1], room_.sums + r * positions,
                 target_of(image, group * g_.target_channels() + first + row + r));
      });
    });
  }

  void add_gradients(std::int64_t group, std::int64_t first, std::int64_t rows) {
    const std::int64_t taps = g_.source_channels() * g_.window();
    if (order_of_gradient(g_.arguments, packet_size<number>) == gradient_order::over_columns) {
      sum_gradients(group, first, rows);
    } else {
      add_gradients_of_blocks(group, first, rows, taps);
    }
    copy_row(room_.weights, 1, rows * taps, weight_ + (group * g_.target_channels() + first) * taps, 1);
  }
  void sum_gradients(std::int64_t group, std::int64_t first, std::int64_t rows) {
    const packed_planes planes = g_.planes(g_.batch, 0, g_.count[0]);
    const window_rows at = g_.rows_of_positions();
    pack_source(group, 0, planes);
    number* to = room_.sums;
    for (std::int64_t c = 0; c < rows; ++c)
      for (std::int64_t n = 0; n < at.images; ++n) {
        const T* from = target_of(n, group * g_.target_channels() + first + c);
        for (std::int64_t q = 0; q < at.rows; ++q, from += at.columns, to += at.whole_columns<number>()) {
          copy_row(from, 1, at.columns, to, 1);
          fill_row(to + at.columns, at.whole_columns<number>() - at.columns, number(0));
        }
      }
    const window_taps<number> seen = find_taps(planes, 0, 0);
    if (rows == 1)
      multiply_rows<1>(rows, seen, at, room_.sums, room_.weights);
    else
      multiply_rows<gradient_rows_at_once>(rows, seen, at, room_.sums, room_.weights);
  }
  void add_gradients_of_blocks(std::int64_t group, std::int64_t first, std::int64_t rows, std::int64_t taps) {
    std::fill_n(room_.weights, rows * taps, number(0));
    for_each_block([&](std::int64_t image, std::int64_t images, std::int64_t row, std::int64_t block_rows) {
      const packed_planes planes = g_.planes(images, row, block_rows);
      const std::int64_t positions = detail::whole_vectors<number>(g_.positions(images, block_rows));
      pack_source(group, image, planes);
      pack_gradients(group * g_.target_channels() + first, rows, image, planes, block_rows, positions);
      const window_taps<number> seen = find_taps(planes, 0, 0);
      if (rows == 1)
        multiply_windows<1>(rows, seen, positions, room_.sums, room_.weights);
      else
        multiply_windows<gradient_rows_at_once>(rows, seen, positions, room_.sums, room_.weights);
    });
  }

  // y's gradients at the positions of the packed planes; zero between them.
  void pack_gradients(std::int64_t channel, std::int64_t channels, std::int64_t image,
                      const packed_planes& planes, std::int64_t rows, std::int64_t positions) {
    number* to = room_.sums;
    for (std::int64_t c = 0; c < channels; ++c) {
      number* const end = to + positions;
      for (std::int64_t n = 0; n < planes.images; ++n) {
        const T* from = target_of(image + n, channel + c) + planes.first_row * g_.target.extent[1];
        for (std::int64_t q = 0; q < rows; ++q, from += g_.count[1]) {
          fetch_next_image(g_.target, from, g_.count[1]);
          copy_row(from, 1, g_.count[1], to, 1);
          to += g_.count[1];
          const bool is_last = n + 1 == planes.images && q + 1 == rows;
          const std::int64_t gap = is_last         ? end - to
                                   : q + 1 == rows ? g_.reach[1] + g_.reach[0] * planes.columns
                                                   : g_.reach[1];
          fill_row(to, gap, number(0));
          to += gap;
        }
      }
    }
  }
};

}  // namespace tapeless::cpu_kernels
