// SPDX-License-Identifier: BSL-1.0
// Convolutions as loops with constant extents: nothing is copied, and padding is where loops do not go. The
// order of sums depends on extents alone, so that bits are the same on all machines; or it is that of tables,
// where padding is numbers that are 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_axis_loops.hpp>
#include <tapeless/run/bare/bare_pixel_gradients.hpp>
#include <tapeless/run/bare/bare_rows.hpp>
#include <tapeless/run/bare/bare_shuffles.hpp>
#include <tapeless/run/bare/bare_windows.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/order_of_convolutions.hpp>

namespace tapeless::bare_kernels {

/// Whether a convolution goes row by row in vectors: windows are next to each other, and rows are short. Its
/// extents are known.
constexpr bool goes_by_rows(const planned_convolution& p) {
  return !is_half(p.type) && has_short_rows(p, vector_bytes / static_cast<std::int64_t>(size_of(p.type)));
}

template <auto Shape, class Arithmetic>
struct bare_family<planned_convolution, Shape, Arithmetic> {
  static void run(std::byte* const* operands, std::ptrdiff_t) {
    auto* x = begin_of<stored>(operands, p.x);
    auto* weight = begin_of<stored>(operands, p.weight);
    auto* y = begin_of<stored>(operands, p.y);
    if constexpr (p.computes == convolution_part::weight && order == gradient_order::over_pixels)
      return bare_pixel_gradients<Shape, Arithmetic>::run(x, weight, y);
    for (std::ptrdiff_t sample = 0; sample < batch; ++sample)
      for (std::ptrdiff_t group = 0; group < groups; ++group) {
        stored* images = x + (sample * groups + group) * in * image;
        stored* weights = weight + group * out * in * taps;
        stored* results = y + (sample * groups + group) * out * positions;
        if constexpr (in_rows && p.computes == convolution_part::weight && parts >= image_row::width) {
          if (sample == 0) by_channels<out>(images, weights, results);
        } else if constexpr (in_rows && p.computes == convolution_part::y) {
          by_channels<out>(images, weights, results);
        } else if constexpr (in_rows && p.computes == convolution_part::x) {
          by_channels<in>(results, weights, images);
        } else if constexpr (p.computes == convolution_part::y) {
          for (std::ptrdiff_t o = 0; o < out; ++o)
            forward(images, weights + o * in * taps, results + o * positions);
        } else if constexpr (p.computes == convolution_part::x) {
          for (std::ptrdiff_t c = 0; c < in; ++c) to_image(images + c * image, weights + c * taps, results);
        } else if (sample == 0) {
          for (std::ptrdiff_t o = 0; o < out; ++o)
            for (std::ptrdiff_t c = 0; c < in; ++c)
              to_weight(images + c * image, weights + (o * in + c) * taps, results + o * positions);
        }
      }
  }

 private:
  static constexpr auto p = planned_of<planned_convolution, Shape>();
  using stored = storage_of<p.type>;
  using number = computed_as<p.type>;
  static constexpr detail::windows_along down = detail::windows_of(p, 0), across = detail::windows_of(p, 1);
  static constexpr auto batch = static_cast<std::ptrdiff_t>(p.batch),
                        groups = static_cast<std::ptrdiff_t>(p.groups),
                        in = static_cast<std::ptrdiff_t>(p.in) / groups,
                        out = static_cast<std::ptrdiff_t>(p.out) / groups;
  static constexpr std::ptrdiff_t image = down.image * across.image,
                                  positions = down.positions * across.positions,
                                  taps = down.kernel * across.kernel;

  // Rows in vectors, where windows are next to each other and rows are short; with the same bits.
  static constexpr std::ptrdiff_t row = across.image > across.positions ? across.image : across.positions;
  static constexpr bool in_rows = goes_by_rows(p);

  // The order of the weight's gradient: column i goes to sum i mod `parts`, and these are combined by halves.
  static constexpr bool as_tables = Arithmetic::sums_as_tables;
  static constexpr int parts = [] {
    if constexpr (as_tables) {
      return Arithmetic::template width<number>;
    } else {
      return row > 8 ? 16 : 8;
    }
  }();
  static constexpr gradient_order order =
      as_tables ? order_of_gradient(p, parts) : gradient_order::over_columns;
  using image_row = bare_row<number, across.image, row>;
  using result_row = bare_row<number, across.positions, row>;

  /// Calls rows_of for as many channels at once as there are registers for.
  template <std::ptrdiff_t Channels>
  static void by_channels(const stored* from, stored* weight, stored* to) {
    if constexpr (p.computes == convolution_part::weight) {
      constexpr int sums = static_cast<int>(across.kernel) * sums_of_tap;
      by_channels<Channels, sums>(
          [&](std::ptrdiff_t o, auto together) { weight_rows<together>(from, weight, to, o); });
    } else {
      by_channels<Channels, image_row::count>(
          [&](std::ptrdiff_t channel, auto together) { rows<together>(from, weight, to, channel); });
    }
  }
  template <std::ptrdiff_t Channels, int Sums, class F>
  static void by_channels(const F& f) {
    constexpr int most = Sums < sums_in_registers ? sums_in_registers / Sums : 1,
                  together = Channels < most ? static_cast<int>(Channels) : most;
    constexpr std::ptrdiff_t whole = Channels / together * together;
    for (std::ptrdiff_t i = 0; i < whole; i += together) f(i, std::integral_constant<int, together>{});
    if constexpr (whole < Channels)
      f(whole, std::integral_constant<int, static_cast<int>(Channels - whole)>{});
  }

  /// So many channels of y of all of x, or of x of all of y, from `first` on, row by row.
  template <int Together>
  static void rows(const stored* from, const stored* weight, stored* to, std::ptrdiff_t first) {
    constexpr bool gives_image = p.computes == convolution_part::x;
    using from_row = std::conditional_t<gives_image, result_row, image_row>;
    using to_row = std::conditional_t<gives_image, image_row, result_row>;
    constexpr std::ptrdiff_t sources = gives_image ? out : in,
                             rows_from = gives_image ? down.positions : down.image,
                             rows_to = gives_image ? down.image : down.positions,
                             columns_from = gives_image ? across.positions : across.image,
                             columns_to = gives_image ? across.image : across.positions,
                             next_channel = (gives_image ? 1 : in) * taps,
                             next_source = (gives_image ? in : 1) * taps;
    constexpr int kernel = static_cast<int>(across.kernel);
    for (std::ptrdiff_t i = 0; i < rows_to; ++i) {
      to_row sums[Together];
      detail::unrolled<Together * to_row::count>([&](auto v) TAPELESS_INLINED {
        sums[v / to_row::count].vectors[v % to_row::count] = typename to_row::held{};
      });
      for (std::ptrdiff_t source = 0; source < sources; ++source)
        for (std::ptrdiff_t k = 0; k < down.kernel; ++k) {
          const std::ptrdiff_t seen = gives_image ? down.position_of(i, k) : down.element(i, k);
          const bool is_inside = seen >= 0 && seen < rows_from;
          if (!is_inside && (!as_tables || (gives_image && !down.can_see(i, k)))) continue;
          from_row line;
          line.load_where(is_inside, from + (source * rows_from + seen) * columns_from);
          const stored* w = weight + first * next_channel + source * next_source + k * across.kernel;
          detail::unrolled<kernel>([&](auto l) TAPELESS_INLINED {
            constexpr std::ptrdiff_t aside = across.element(0, l), shift = gives_image ? -aside : aside;
            detail::unrolled<to_row::count>([&](auto v) TAPELESS_INLINED {
              const auto x = line.template seen<shift, v>();
              detail::unrolled<Together>([&](auto channel) TAPELESS_INLINED {
                auto& sum = sums[channel].vectors[v];
                sum = Arithmetic::multiply_add(to_row::lanes::spread(w[channel * next_channel + l]), x, sum);
              });
            });
          });
        }
      detail::unrolled<Together>([&](auto channel) TAPELESS_INLINED {
        sums[channel].store(to + ((first + channel) * rows_to + i) * columns_to);
      });
    }
  }

  // Vectors of sums that a row of the weight's gradient adds to, for each tap: others stay 0.
  static constexpr int sums_of_tap =
      as_tables && parts / image_row::width > image_row::count ? image_row::count : parts / image_row::width;
  static constexpr std::ptrdiff_t first_row(std::ptrdiff_t k) {
    return as_tables ? 0 : down.first_position(k);
  }
  static constexpr std::ptrdiff_t end_row(std::ptrdiff_t k) {
    return as_tables ? down.positions : down.end_position(k);
  }
  /// What a vector of positions sees; of tables' order, zeros behind the last one.
  template <std::ptrdiff_t Shift, int Vector>
  [[gnu::always_inline]] static auto seen_from_positions(const image_row& line) {
    constexpr std::ptrdiff_t count = across.positions - Vector * image_row::width;
    const auto x = line.template seen<Shift, Vector>();
    if constexpr (as_tables && count < image_row::width && Shift + across.positions < across.image) {
      return first_of<typename image_row::lanes, (count > 0 ? static_cast<int>(count) : 0)>(x);
    } else {
      return x;
    }
  }

  /// The taps between each channel of x and so many of y, from `first` on, over all samples.
  template <int Together>
  static void weight_rows(const stored* x, stored* weight, const stored* y, std::ptrdiff_t first) {
    constexpr int kernel = static_cast<int>(across.kernel), width = image_row::width, sums = sums_of_tap;
    using held = typename image_row::held;
    for (std::ptrdiff_t c = 0; c < in; ++c)
      for (std::ptrdiff_t k = 0; k < down.kernel; ++k) {
        held all[Together * kernel * sums];
        detail::unrolled<Together * kernel * sums>([&](auto i) TAPELESS_INLINED { all[i] = held{}; });
        for (std::ptrdiff_t sample = 0; sample < batch; ++sample)
          for (std::ptrdiff_t i = first_row(k); i < end_row(k); ++i) {
            const std::ptrdiff_t seen = down.element(i, k);
            image_row line;
            line.load_where(!as_tables || (seen >= 0 && seen < down.image),
                            x + (sample * groups * in + c) * image + seen * across.image);
            result_row left[Together];
            detail::unrolled<Together>([&](auto o) TAPELESS_INLINED {
              left[o].load(y + (sample * groups * out + first + o) * positions + i * across.positions);
            });
            detail::unrolled<kernel>([&](auto l) TAPELESS_INLINED {
              detail::unrolled<result_row::count>([&](auto v) TAPELESS_INLINED {
                const held right = seen_from_positions<across.element(0, l), v>(line);
                detail::unrolled<Together>([&](auto o) TAPELESS_INLINED {
                  held& sum = all[(o * kernel + l) * sums + v % sums];
                  sum = Arithmetic::multiply_add(left[o].vectors[v], right, sum);
                });
              });
            });
          }
        detail::unrolled<Together * kernel>([&](auto i) TAPELESS_INLINED {
          held of_tap[parts / width];
          detail::unrolled<parts / width>(
              [&](auto s) TAPELESS_INLINED { of_tap[s] = s < sums ? all[i * sums + s % sums] : held{}; });
          weight[((first + i / kernel) * in + c) * taps + k * across.kernel + i % kernel] =
              total_of_vectors<parts / width>(of_tap);
        });
      }
  }

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
          for (std::ptrdiff_t i = first_row(k); i < end_row(k); ++i) {
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
