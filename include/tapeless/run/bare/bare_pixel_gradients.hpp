// SPDX-License-Identifier: BSL-1.0
// The gradient of a convolution's weight, summed up position after position in vectors over channels of y:
// for images of some channels, whose rows fill no vectors. Images are copied with their padding, y's
// gradients with their channels next to each other.
#pragma once

#include <cstddef>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_convolution_shape.hpp>
#include <tapeless/run/bare/bare_rows.hpp>
#include <tapeless/run/bare/bare_shuffles.hpp>

namespace tapeless::bare_kernels {

/// Of convolutions with such a gradient_order, whose windows are next to each other in rows.
template <auto Shape, class Arithmetic>
struct bare_pixel_gradients : private bare_convolution_shape<Shape, Arithmetic> {
 private:
  using base = bare_convolution_shape<Shape, Arithmetic>;
  using base::across, base::batch, base::down, base::groups, base::image, base::in, base::out,
      base::positions, base::taps;
  using number = typename base::stored;

  // y's channels in vectors: of a position all are neighbours, zeros behind them.
  using channels = bare_row<number, out, out>;
  using lanes = typename channels::lanes;
  using held = typename lanes::held;
  static constexpr int width = channels::width;
  static constexpr std::ptrdiff_t of_position = channels::count * width;

  // What windows see of an image, with its padding; where there is none, images are read where they are.
  static constexpr bool is_padded = down.padding > 0 || across.padding > 0;
  static constexpr std::ptrdiff_t rows = is_padded ? down.element(down.positions - 1, down.kernel - 1) +
                                                         down.padding + 1
                                                   : down.image,
                                  columns = is_padded
                                                ? across.element(across.positions - 1, across.kernel - 1) +
                                                      across.padding + 1
                                                : across.image,
                                  next_sample = is_padded ? rows * columns : groups * in * image,
                                  next_channel = is_padded ? batch * next_sample : image;

  // So many sums are kept at once: of vectors, of elements of a kernel, and of channels of x.
  static constexpr int vectors = channels::count < 2 ? 1 : 2, most = sums_in_registers / vectors,
                       pieces = static_cast<int>((taps + most - 1) / most),
                       of_piece = static_cast<int>((taps + pieces - 1) / pieces),
                       together = pieces > 1         ? 1
                                  : most / taps < in ? static_cast<int>(most / taps)
                                                     : static_cast<int>(in),
                       sums = of_piece * together;

  /// Where element Sum of a piece, or of all of some channels, is from a position's first one.
  template <int Sum>
  static constexpr std::ptrdiff_t distance(std::ptrdiff_t first) {
    const std::ptrdiff_t tap = (first + Sum) % taps, channel = (first + Sum) / taps;
    return channel * next_channel + tap / across.kernel * down.dilation * columns +
           tap % across.kernel * across.dilation;
  }

  static void copy_images(const number* x, number* to) {
    constexpr auto seen = [](const detail::windows_along& w, std::ptrdiff_t all) {
      return all - w.padding < w.image ? all - w.padding : w.image;
    };
    constexpr std::ptrdiff_t last = seen(down, rows), count = seen(across, columns);
    for (std::ptrdiff_t i = 0; i < in * next_channel; ++i) to[i] = number(0);
    for (std::ptrdiff_t c = 0; c < in; ++c)
      for (std::ptrdiff_t sample = 0; sample < batch; ++sample)
        for (std::ptrdiff_t i = 0; i < last; ++i) {
          const number* from = x + (sample * groups * in + c) * image + i * across.image;
          number* line = to + c * next_channel + sample * next_sample + (i + down.padding) * columns;
          for (std::ptrdiff_t j = 0; j < count; ++j) line[j + across.padding] = from[j];
        }
  }

  /// Vectors of one channel each become vectors of one position each.
  static void transpose(held (&all)[width]) {
    for (int step = 1; step < width; step *= 2) {
      held next[width];
      detail::repeated<width / 2>([&](int i) TAPELESS_INLINED {
        next[2 * i] = zipped<0>(all[i], all[i + width / 2]);
        next[2 * i + 1] = zipped<1>(all[i], all[i + width / 2]);
      });
      detail::repeated<width>([&](int i) TAPELESS_INLINED { all[i] = next[i]; });
    }
  }
  static void copy_gradients(const number* y, number* to) {
    for (std::ptrdiff_t sample = 0; sample < batch; ++sample, y += groups * out * positions)
      for (std::ptrdiff_t channel = 0; channel < of_position; channel += width) {
        number* place = to + sample * positions * of_position + channel;
        if constexpr (positions < width) {
          for (std::ptrdiff_t i = 0; i < positions; ++i)
            for (int k = 0; k < width; ++k)
              place[i * of_position + k] = channel + k < out ? y[(channel + k) * positions + i] : number(0);
        } else {
          for (std::ptrdiff_t first = 0; first < positions; first += width) {
            const std::ptrdiff_t i = first < positions - width ? first : positions - width;
            held all[width];
            for (int k = 0; k < width; ++k)
              all[k] = channel + k < out ? lanes::load(y + (channel + k) * positions + i) : held{};
            transpose(all);
            for (int k = 0; k < width; ++k) lanes::store(place + (i + k) * of_position, all[k]);
          }
        }
      }
  }

  /// The sums of elements First, First + 1, ... of the kernel of some channels of x, which begin at x, with
  /// vectors of y's channels.
  template <int First>
  [[gnu::always_inline]] static void sum_up(const number* x, const number* y, number* to) {
    held all[sums * vectors];
    detail::unrolled<sums * vectors>([&](auto i) TAPELESS_INLINED { all[i] = held{}; });
    for (std::ptrdiff_t sample = 0; sample < batch; ++sample)
      for (std::ptrdiff_t i = 0; i < down.positions; ++i) {
        const number* seen = x + sample * next_sample + i * down.stride * columns;
        for (std::ptrdiff_t j = 0; j < across.positions; ++j, y += of_position) {
          held left[vectors];
          detail::unrolled<vectors>([&](auto v) TAPELESS_INLINED { left[v] = lanes::load(y + v * width); });
          detail::unrolled<sums>([&](auto s) TAPELESS_INLINED {
            constexpr std::ptrdiff_t there = distance<s>(First);
            const held right = lanes::spread(seen[there + j]);
            detail::unrolled<vectors>([&](auto v) TAPELESS_INLINED {
              all[s * vectors + v] = Arithmetic::multiply_add(right, left[v], all[s * vectors + v]);
            });
          });
        }
      }
    detail::unrolled<sums * vectors>([&](auto i) TAPELESS_INLINED { lanes::store(to + i * width, all[i]); });
  }
  template <int Piece>
  static void sum_piece(const number* x, const number* y, std::ptrdiff_t c, number* weight) {
    // The last piece, and the last vectors, compute some sums again.
    constexpr int end = static_cast<int>(taps) * together, begin = Piece * of_piece,
                  first = begin < end - sums ? begin : end - sums;
    for (std::ptrdiff_t v = 0; v < channels::count; v += vectors) {
      const std::ptrdiff_t channel = (v < channels::count - vectors ? v : channels::count - vectors) * width;
      number all[sums * vectors * width];
      sum_up<first>(x + c * next_channel, y + channel, all);
      const std::ptrdiff_t count = out - channel < vectors * width ? out - channel : vectors * width;
      for (std::ptrdiff_t o = 0; o < count; ++o)
        for (std::ptrdiff_t s = 0; s < sums; ++s)
          weight[((channel + o) * in + c) * taps + first + s] = all[s * vectors * width + o];
    }
  }

 public:
  /// Of the first group, and of those behind it.
  static void run(const number* x, number* weight, const number* y) {
    number all_of_y[batch * positions * of_position];
    for (std::ptrdiff_t group = 0; group < groups; ++group) {
      copy_gradients(y + group * out * positions, all_of_y);
      if constexpr (is_padded) {
        number all_of_x[in * next_channel];
        copy_images(x + group * in * image, all_of_x);
        sum_all(all_of_x, all_of_y, weight + group * out * in * taps);
      } else {
        sum_all(x + group * in * image, all_of_y, weight + group * out * in * taps);
      }
    }
  }

 private:
  static void sum_all(const number* x, const number* y, number* weight) {
    for (std::ptrdiff_t c = 0; c < in; c += together) {
      const std::ptrdiff_t channel = c < in - together ? c : in - together;
      detail::unrolled<pieces>([&](auto piece) { sum_piece<piece>(x, y, channel, weight); });
    }
  }
};

}  // namespace tapeless::bare_kernels
