// SPDX-License-Identifier: BSL-1.0
// Convolutions as loops with constant extents: nothing is copied, and padding is where loops do not go. The
// order of sums depends on extents alone, so that bits are the same on all machines; or it is that of tables,
// where padding is numbers that are 0.
#pragma once

#include <cstddef>

#include <tapeless/run/bare/bare_axis_loops.hpp>
#include <tapeless/run/bare/bare_convolution_rows.hpp>
#include <tapeless/run/bare/bare_convolution_shape.hpp>
#include <tapeless/run/bare/bare_pixel_gradients.hpp>

namespace tapeless::bare_kernels {

template <auto Shape, class Arithmetic>
struct bare_family<planned_convolution, Shape, Arithmetic>
    : private bare_convolution_shape<Shape, Arithmetic> {
  static void run(std::byte* const* operands, std::ptrdiff_t) {
    auto* x = begin_of<stored>(operands, p.x);
    auto* weight = begin_of<stored>(operands, p.weight);
    auto* y = begin_of<stored>(operands, p.y);
    if constexpr (p.computes == convolution_part::weight && order == gradient_order::over_pixels)
      return bare_pixel_gradients<Shape, Arithmetic>::run(x, weight, y);
    constexpr bool is_over_samples = p.computes == convolution_part::weight;
    for (std::ptrdiff_t sample = 0; sample < (is_over_samples ? 1 : batch); ++sample)
      for (std::ptrdiff_t group = 0; group < groups; ++group) {
        stored* images = x + (sample * groups + group) * in * image;
        stored* weights = weight + group * out * in * taps;
        stored* results = y + (sample * groups + group) * out * positions;
        if constexpr (rows::serves) {
          rows::run(images, weights, results);
        } else if constexpr (p.computes == convolution_part::y) {
          for (std::ptrdiff_t o = 0; o < out; ++o)
            forward(images, weights + o * in * taps, results + o * positions);
        } else if constexpr (p.computes == convolution_part::x) {
          for (std::ptrdiff_t c = 0; c < in; ++c) to_image(images + c * image, weights + c * taps, results);
        } else {
          for (std::ptrdiff_t o = 0; o < out; ++o)
            for (std::ptrdiff_t c = 0; c < in; ++c)
              to_weight(images + c * image, weights + (o * in + c) * taps, results + o * positions);
        }
      }
  }

 private:
  using base = bare_convolution_shape<Shape, Arithmetic>;
  using base::across, base::as_tables, base::batch, base::down, base::groups, base::image, base::in,
      base::out, base::p, base::parts, base::positions, base::taps;
  using typename base::number, typename base::stored;
  using rows = bare_convolution_rows<Shape, Arithmetic>;
  static constexpr gradient_order order = as_tables && batch > 0 ? order_of_gradient(p, parts)
                                                                 : gradient_order::over_columns;

  /// One channel of y, row by row: of each tap of each channel, all columns.
  static void forward(const stored* x, const stored* weight, stored* y) {
    for (std::ptrdiff_t i = 0; i < down.positions; ++i) {
      number line[across.positions] = {};
      for (std::ptrdiff_t c = 0; c < in; ++c)
        for (std::ptrdiff_t k = 0; k < down.kernel; ++k) {
          const std::ptrdiff_t from = down.element(i, k);
          if (!as_tables && (from < 0 || from >= down.image)) continue;
          for (std::ptrdiff_t l = 0; l < across.kernel; ++l) {
            const auto factor = static_cast<number>(weight[(c * down.kernel + k) * across.kernel + l]);
            if constexpr (as_tables) {
              for (std::ptrdiff_t column = 0; column < across.positions; ++column)
                line[column] = Arithmetic::multiply_add(
                    factor, padded_at(x + c * image, from, across.element(column, l)), line[column]);
              continue;
            }
            const stored* seen = x + c * image + from * across.image + across.element(0, l);
            const std::ptrdiff_t end = across.end_position(l);
            for (std::ptrdiff_t column = across.first_position(l); column < end; ++column)
              line[column] += factor * static_cast<number>(seen[column * across.stride]);
          }
        }
      for (std::ptrdiff_t column = 0; column < across.positions; ++column)
        y[i * across.positions + column] = static_cast<stored>(line[column]);
    }
  }

  /// One channel of x, row by row: of each tap of each channel of y, all columns that it has been seen from.
  static void to_image(stored* x, const stored* weight, const stored* y) {
    for (std::ptrdiff_t i = 0; i < down.image; ++i) {
      number line[across.image] = {};
      for (std::ptrdiff_t o = 0; o < out; ++o)
        for (std::ptrdiff_t k = 0; k < down.kernel; ++k) {
          const std::ptrdiff_t from = down.position_of(i, k);
          if (as_tables ? !down.can_see(i, k) : from < 0) continue;
          for (std::ptrdiff_t l = 0; l < across.kernel; ++l) {
            const auto factor = static_cast<number>(weight[o * in * taps + k * across.kernel + l]);
            if constexpr (as_tables) {
              for (std::ptrdiff_t column = 0; column < across.image; ++column) {
                if (!across.can_see(column, l)) continue;
                const std::ptrdiff_t at = across.position_of(column, l);
                const number seen =
                    from < 0 || at < 0 ? number(0)
                                       : static_cast<number>(y[o * positions + from * across.positions + at]);
                line[column] = Arithmetic::multiply_add(factor, seen, line[column]);
              }
              continue;
            }
            const stored* seen = y + o * positions + from * across.positions;
            const std::ptrdiff_t end = across.end_position(l);
            for (std::ptrdiff_t column = across.first_position(l); column < end; ++column)
              line[across.element(column, l)] += factor * static_cast<number>(seen[column]);
          }
        }
      for (std::ptrdiff_t column = 0; column < across.image; ++column)
        x[i * across.image + column] = static_cast<stored>(line[column]);
    }
  }

  /// An element of a channel, 0 outside.
  static number padded_at(const stored* x, std::ptrdiff_t i, std::ptrdiff_t j) {
    const bool is_inside = i >= 0 && i < down.image && j >= 0 && j < across.image;
    return is_inside ? static_cast<number>(x[i * across.image + j]) : number(0);
  }

  /// The taps between a channel of x and one of y, over all samples.
  static void to_weight(const stored* x, stored* weight, const stored* y) {
    for (std::ptrdiff_t k = 0; k < down.kernel; ++k)
      for (std::ptrdiff_t l = 0; l < across.kernel; ++l) {
        const std::ptrdiff_t first = across.first_position(l), end = across.end_position(l);
        number sums[parts] = {};
        for (std::ptrdiff_t sample = 0; sample < batch; ++sample)
          for (std::ptrdiff_t i = base::first_row(k); i < base::end_row(k); ++i) {
            if constexpr (as_tables) {
              for (std::ptrdiff_t column = 0; column < across.positions; ++column) {
                number& sum = sums[column % parts];
                sum = Arithmetic::multiply_add(
                    static_cast<number>(y[sample * groups * out * positions + i * across.positions + column]),
                    padded_at(x + sample * groups * in * image, down.element(i, k),
                              across.element(column, l)),
                    sum);
              }
              continue;
            }
            const stored* left = y + sample * groups * out * positions + i * across.positions;
            const stored* right =
                x + sample * groups * in * image + down.element(i, k) * across.image + across.element(0, l);
            for (std::ptrdiff_t column = first; column < end; ++column)
              sums[column % parts] +=
                  static_cast<number>(left[column]) * static_cast<number>(right[column * across.stride]);
          }
        for (int half = parts / 2; half > 0; half /= 2)
          for (int i = 0; i < half; ++i) sums[i] += sums[i + half];
        weight[k * across.kernel + l] = static_cast<stored>(sums[0]);
      }
  }
};

}  // namespace tapeless::bare_kernels
