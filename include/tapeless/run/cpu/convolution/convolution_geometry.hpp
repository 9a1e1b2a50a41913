// SPDX-License-Identifier: BSL-1.0
// Where a convolution's source, target and windows are when images are packed, and in which blocks they are:
// see packed_planes.hpp.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/plan/families/planned_convolution.hpp>
#include <tapeless/run/cpu/convolution/packed_planes.hpp>
#include <tapeless/run/cpu/convolution/windowed_sums.hpp>

namespace tapeless::cpu_kernels {

/// Of y, which is summed up from x, and of x, the transpose, which is summed up from y. The weight's gradient
/// has the geometry of y.
class convolution_geometry {
  static constexpr std::int64_t numbers_of_block = 1 << 16;  // of the source: they stay in the L2 cache
  static constexpr std::int64_t numbers_of_near_images = 1 << 19;

 public:
  image_phases source, target;
  std::int64_t groups, batch, reach[2], first[2], count[2], kernel[2];
  convolution_arguments arguments;

  constexpr explicit convolution_geometry(const convolution_arguments& c)
      : groups(c.groups), batch(c.batch), arguments(c), to_x_(c.computes == convolution_part::x) {
    source.channels = to_x_ ? c.out : c.in;
    target.channels = to_x_ ? c.in : c.out;
    for (int d = 0; d < 2; ++d) {
      const std::int64_t s = stride_[d] = c.stride[d], last = (c.kernel[d] - 1) * c.dilation[d];
      dilation_[d] = c.dilation[d];
      kernel[d] = c.kernel[d];
      reach[d] = last / s;
      source.extent[d] = to_x_ ? c.positions[d] : c.image[d];
      target.extent[d] = to_x_ ? c.image[d] : c.positions[d];
      image_phases& image = to_x_ ? target : source;
      image.stride[d] = s;
      image.origin[d] = c.padding[d];
      image.phases[d] = to_x_ ? s : std::min(s, last + 1);
      if (to_x_) source.origin[d] = reach[d];
      first[d] = to_x_ ? c.padding[d] / s : 0;
      count[d] = to_x_ ? (c.image[d] - 1 + c.padding[d]) / s - first[d] + 1 : c.positions[d];
    }
    for (image_phases* image : {&source, &target})
      image->are_far = batch * image->channels * image->elements() >= numbers_of_near_images;
  }

  constexpr std::int64_t source_channels() const { return source.channels / groups; }  // of a group
  constexpr std::int64_t target_channels() const { return target.channels / groups; }
  constexpr std::int64_t window() const { return kernel[0] * kernel[1]; }
  constexpr std::int64_t row_length() const { return count[1] + reach[1]; }
  constexpr std::int64_t phases() const { return source.phases[0] * source.phases[1]; }

  /// So many images are packed at once, and so many rows of the target's phases; one of them is all.
  constexpr std::int64_t images_at_once() const {
    return std::clamp<std::int64_t>(numbers_of_block / std::max<std::int64_t>(1, numbers_of_rows(count[0])),
                                    1, std::max<std::int64_t>(1, batch));
  }
  constexpr std::int64_t rows_at_once() const {
    if (numbers_of_rows(count[0]) <= numbers_of_block) return count[0];
    const std::int64_t rows = numbers_of_block / (source_channels() * phases() * row_length()) - reach[0];
    return std::clamp<std::int64_t>(rows, 1, count[0]);
  }
  /// Numbers of a whole block of the source.
  constexpr std::int64_t block() const { return images_at_once() * numbers_of_rows(rows_at_once()); }

  /// A block of the source that has what `rows` rows of the target's phases from `first_row` on are made of.
  constexpr packed_planes planes(std::int64_t images, std::int64_t first_row, std::int64_t rows) const {
    return {images, first_row, rows + reach[0], first[1], row_length()};
  }
  /// All of a convolution's positions, with all images packed at once.
  constexpr window_rows rows_of_positions() const {
    return {batch, count[0], count[1], count[0] + reach[0], row_length()};
  }
  /// From a block's first position to behind its last one, of that many images and rows.
  constexpr std::int64_t positions(std::int64_t images, std::int64_t rows) const {
    return ((images - 1) * (rows + reach[0]) + rows - 1) * row_length() + count[1];
  }

  /// Element k of the kernel along an axis: whether it is in the sums of the target's phase, and where the
  /// source has it.
  struct tap {
    std::int64_t source_phase, shift, target_phase;
  };
  constexpr tap tap_along(int d, std::int64_t k) const {
    const std::int64_t phase = k * dilation_[d] % stride_[d], shift = k * dilation_[d] / stride_[d];
    return to_x_ ? tap{0, reach[d] - shift, phase} : tap{phase, shift, 0};
  }

  /// f(row, column) of all elements of a window that are in the sums of a phase of the target.
  template <class F>
  constexpr void for_each_tap(std::int64_t a, std::int64_t b, F f) const {
    for (std::int64_t i = 0; i < kernel[0]; ++i)
      for (std::int64_t j = 0; j < kernel[1]; ++j)
        if (tap_along(0, i).target_phase == a && tap_along(1, j).target_phase == b) f(i, j);
  }
  /// Where the source's packed planes have them in all channels, one after the other, as seen from a
  /// position. Returns how many they are.
  std::int64_t find_offsets(const packed_planes& planes, std::int64_t a, std::int64_t b,
                            std::int64_t* offsets) const {
    std::int64_t taps = 0;
    for_each_tap(a, b, [&](std::int64_t i, std::int64_t j) {
      const tap down = tap_along(0, i), across = tap_along(1, j);
      const std::int64_t phase = down.source_phase * source.phases[1] + across.source_phase;
      offsets[taps++] =
          phase * source_channels() * planes.channel() + down.shift * planes.columns + across.shift;
    });
    const std::int64_t all = taps * source_channels();
    for (std::int64_t k = taps; k < all; ++k) offsets[k] = offsets[k - taps] + planes.channel();
    return all;
  }

 private:
  bool to_x_;
  std::int64_t stride_[2] = {}, dilation_[2] = {};

  constexpr std::int64_t numbers_of_rows(std::int64_t rows) const {
    return source_channels() * phases() * (rows + reach[0]) * row_length();
  }
};

/// What one thread computes: some images, and some channels of the target or rows of the weight.
struct convolution_share {
  std::int64_t first_image, images, first_channel, channels;
};

}  // namespace tapeless::cpu_kernels
