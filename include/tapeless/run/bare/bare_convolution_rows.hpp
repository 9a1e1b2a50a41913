// SPDX-License-Identifier: BSL-1.0
// Convolutions row by row in vectors, where windows are next to each other and rows are short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_convolution_shape.hpp>
#include <tapeless/run/bare/bare_rows.hpp>
#include <tapeless/run/bare/bare_shuffles.hpp>

namespace tapeless::bare_kernels {

/// Whether a convolution goes row by row in vectors: windows are next to each other, and rows are short. Its
/// extents are known.
constexpr bool goes_by_rows(const planned_convolution& p) {
  return !is_half(p.type) && has_short_rows(p, vector_bytes / static_cast<std::int64_t>(size_of(p.type)));
}

/// One group, with the same bits as by loops over numbers.
template <auto Shape, class Arithmetic>
struct bare_convolution_rows : bare_convolution_shape<Shape, Arithmetic> {
  using base = bare_convolution_shape<Shape, Arithmetic>;
  using base::across, base::as_tables, base::batch, base::down, base::groups, base::image, base::in,
      base::out, base::p, base::parts, base::positions, base::taps;
  using typename base::number, typename base::stored;
  using image_row = bare_row<number, across.image, base::longer_row>;
  using result_row = bare_row<number, across.positions, base::longer_row>;

  /// Whether it can be computed so.
  static constexpr bool serves =
      goes_by_rows(p) && (p.computes != convolution_part::weight || parts >= image_row::width);
  /// Computes what is asked for: of one sample, or the weight's gradient over all from this one on.
  static void run(stored* x, stored* weight, stored* y) {
    if constexpr (p.computes == convolution_part::x) {
      by_channels<in>(y, weight, x);
    } else {
      by_channels<out>(x, weight, y);
    }
  }

 private:
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
          for (std::ptrdiff_t i = base::first_row(k); i < base::end_row(k); ++i) {
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
};

}  // namespace tapeless::bare_kernels
