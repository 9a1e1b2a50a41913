// SPDX-License-Identifier: BSL-1.0
// How the source of a convolution of channels is packed: by vectors of channels; for the weight's gradient of
// few channels in rows, as windows have them. And where the runs of numbers are from which gradients are
// added up.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/run/cpu/convolution/channel_tiles.hpp>
#include <tapeless/run/cpu/convolution/convolution_geometry.hpp>
#include <tapeless/run/cpu/convolution/packed_channels.hpp>

namespace tapeless::cpu_kernels {

/// The packed source of a convolution, seen from its target. Runs are neighbours among the channels of a
/// pixel, or, in rows, among the elements of a row of a window: see channel_tiles.hpp.
class packed_source {
 public:
  constexpr packed_source(const convolution_geometry& g, std::int64_t width)
      : g_(g),
        width_(width),
        lanes_(channel_lanes::of(g.source_channels(), width)),
        is_in_rows_(packs_rows(g)) {}

  /// Whether it is in rows: where channels do not fill a run.
  static constexpr bool packs_rows(const convolution_geometry& g) {
    return g.arguments.computes == convolution_part::weight && g.source_channels() < run_length &&
           g.arguments.dilation[1] == 1;
  }
  constexpr bool is_in_rows() const { return is_in_rows_; }

  /// How many numbers of runs there are for each element of the weight, of a vector of y's channels.
  constexpr double numbers_for_each() const {
    return static_cast<double>(runs(lanes_.vectors) * run_length) /
           static_cast<double>(g_.source_channels() * g_.window());
  }

  /// How many runs there are, of so many vectors of channels.
  constexpr std::int64_t runs(std::int64_t vectors) const {
    return is_in_rows_ ? g_.source_channels() * g_.kernel[0] * runs_of(g_.kernel[1])
                       : vectors * g_.window() * runs_of(lanes_.used);
  }
  /// Number i of run r adds up to sum r * run_length + i: which sum is that of an element of the window, and
  /// of channel c of a vector.
  constexpr std::int64_t sum_of(std::int64_t vector, std::int64_t c, std::int64_t element) const {
    if (is_in_rows_)
      return (c * g_.kernel[0] + element / g_.kernel[1]) * runs_of(g_.kernel[1]) * run_length +
             element % g_.kernel[1];
    return (vector * g_.window() + element) * runs_of(lanes_.used) * run_length + c;
  }

  /// A block for so many rows of the target's phases, from a row on, in so many images; and how many numbers
  /// it is.
  constexpr packed_planes planes(std::int64_t images, std::int64_t first_row, std::int64_t rows) const {
    if (!is_in_rows_) return g_.planes(images, first_row, rows);
    const convolution_arguments& c = g_.arguments;
    const auto reach = [&](int d, std::int64_t count) {
      return (count - 1) * c.stride[d] + (c.kernel[d] - 1) * c.dilation[d] + 1;
    };
    return {images, first_row * c.stride[0], reach(0, rows), 0, reach(1, g_.count[1]) + run_length - 1};
  }
  constexpr std::int64_t numbers(std::int64_t images, std::int64_t rows) const {
    return planes(images, 0, rows).channel() *
           (is_in_rows_ ? g_.source_channels() : g_.phases() * lanes_.vectors * width_);
  }
  /// The images as they are packed: rows have all elements, one after the other.
  constexpr image_phases image() const {
    image_phases all = g_.source;
    if (is_in_rows_) all.stride[0] = all.stride[1] = all.phases[0] = all.phases[1] = 1;
    return all;
  }

  /// From what a pixel of the target sees to what the next one sees.
  constexpr std::int64_t step() const { return is_in_rows_ ? g_.arguments.stride[1] : width_; }
  /// Where that is for the first pixel of a row.
  constexpr std::int64_t row(const packed_planes& planes, std::int64_t image, std::int64_t row) const {
    const std::int64_t next = is_in_rows_ ? g_.arguments.stride[0] : 1;
    return (image * planes.rows + row * next) * planes.columns * (is_in_rows_ ? 1 : width_);
  }
  /// Where a run is from there, if so many vectors are packed.
  constexpr std::int64_t run(const packed_planes& planes, std::int64_t number, std::int64_t vectors) const {
    if (is_in_rows_) {
      const std::int64_t of_row = runs_of(g_.kernel[1]), line = number / of_row;
      return line / g_.kernel[0] * planes.channel() +
             line % g_.kernel[0] * g_.arguments.dilation[0] * planes.columns + number % of_row * run_length;
    }
    const std::int64_t of_vector = runs_of(lanes_.used), tap = number / of_vector % g_.window();
    return element(planes, number / (of_vector * g_.window()), vectors, tap / g_.kernel[1],
                   tap % g_.kernel[1]) +
           number % of_vector * run_length;
  }
  /// Where element (i, j) of a window is from there, in a vector of so many, where vectors are packed.
  constexpr std::int64_t element(const packed_planes& planes, std::int64_t vector, std::int64_t vectors,
                                 std::int64_t i, std::int64_t j) const {
    const convolution_geometry::tap down = g_.tap_along(0, i), across = g_.tap_along(1, j);
    const std::int64_t phase = down.source_phase * g_.source.phases[1] + across.source_phase;
    return ((phase * vectors + vector) * planes.channel() + down.shift * planes.columns + across.shift) *
           width_;
  }

 private:
  const convolution_geometry& g_;
  std::int64_t width_;
  channel_lanes lanes_;
  bool is_in_rows_;
};

}  // namespace tapeless::cpu_kernels
