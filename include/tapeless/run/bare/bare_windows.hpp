// SPDX-License-Identifier: BSL-1.0
// Convolutions and poolings as loops with constant extents: nothing is copied, and padding is where loops do
// not go. The order of sums depends on extents alone, so that bits are the same on all machines.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/run/bare/bare_axis_loops.hpp>
#include <tapeless/run/bare/bare_rows.hpp>
#include <tapeless/run/common/element_types.hpp>

namespace tapeless::bare_kernels {

namespace detail {

/// Where windows are along an axis: position p sees element p * stride + tap - padding at a tap.
struct windows_along {
  std::ptrdiff_t image, positions, kernel, stride, dilation, padding;

  constexpr std::ptrdiff_t element(std::ptrdiff_t position, std::ptrdiff_t tap) const {
    return position * stride + tap * dilation - padding;
  }
  /// The positions from which the image's elements are seen at a tap.
  constexpr std::ptrdiff_t first_position(std::ptrdiff_t tap) const {
    const std::ptrdiff_t before = padding - tap * dilation;
    return before <= 0 ? 0 : (before + stride - 1) / stride;
  }
  constexpr std::ptrdiff_t end_position(std::ptrdiff_t tap) const {
    const std::ptrdiff_t last = image - 1 + padding - tap * dilation;
    const std::ptrdiff_t end = last < 0 ? 0 : last / stride + 1;
    return end < positions ? end : positions;
  }
  /// The position that sees an element at a tap; -1 where there is none.
  constexpr std::ptrdiff_t position_of(std::ptrdiff_t element, std::ptrdiff_t tap) const {
    const std::ptrdiff_t from = element + padding - tap * dilation;
    return from < 0 || from % stride != 0 || from / stride >= positions ? -1 : from / stride;
  }
  /// So many elements of the image are in the window at a position.
  constexpr std::ptrdiff_t elements_at(std::ptrdiff_t position) const {
    std::ptrdiff_t count = 0;
    for (std::ptrdiff_t tap = 0; tap < kernel; ++tap)
      count += element(position, tap) >= 0 && element(position, tap) < image ? 1 : 0;
    return count;
  }
};

template <class Planned>
constexpr windows_along windows_of(const Planned& p, int axis) {
  const auto of = [&](const auto& list) { return static_cast<std::ptrdiff_t>(list[axis]); };
  std::ptrdiff_t dilation = 1;
  if constexpr (requires { p.dilation; }) dilation = of(p.dilation);
  return {of(p.image), of(p.positions), of(p.kernel), of(p.stride), dilation, of(p.padding)};
}

}  // namespace detail

template <class GraphBuilder, class Layout, int Index>
struct bare_family<GraphBuilder, Layout, Index, detail::place_of_family<planned_convolution>> {
  static void run(const bare_memory& m, std::ptrdiff_t iteration) {
    auto* x = begin<p.x.base>(m, p.x, iteration);
    auto* weight = begin<p.weight.base>(m, p.weight, iteration);
    auto* y = begin<p.y.base>(m, p.y, iteration);
    for (std::ptrdiff_t sample = 0; sample < batch; ++sample)
      for (std::ptrdiff_t group = 0; group < groups; ++group) {
        stored* images = x + (sample * groups + group) * in * image;
        stored* weights = weight + group * out * in * taps;
        stored* results = y + (sample * groups + group) * out * positions;
        if constexpr (in_rows && p.computes == convolution_part::weight) {
          if (sample == 0) by_channels<out>(images, weights, results);
        } else if constexpr (in_rows && p.computes == convolution_part::y) {
          by_channels<out>(images, weights, results);
        } else if constexpr (in_rows) {
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
  static constexpr planned_convolution p =
      plan_of<GraphBuilder>.families.template of<planned_convolution>()[Index];
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

  template <int Base>
  static stored* begin(const bare_memory& m, const access& a, std::ptrdiff_t iteration) {
    return detail::begin_of<GraphBuilder, Layout, stored, Base>(m, a, iteration);
  }

  // Rows in vectors, where windows are next to each other and rows are short; with the same bits.
  static constexpr std::ptrdiff_t row = across.image > across.positions ? across.image : across.positions;
  static constexpr bool in_rows = [] {
    if constexpr (!std::is_same_v<stored, number> || vector_width<number> == 1) {
      return false;
    } else {
      return across.stride == 1 && across.kernel <= 8 && row <= 4 * vector_width<number>;
    }
  }();
  using image_row = bare_row<number, across.image, row>;
  using result_row = bare_row<number, across.positions, row>;

  /// Calls rows_of for as many channels at once as there are registers for.
  template <std::ptrdiff_t Channels>
  static void by_channels(const stored* from, stored* weight, stored* to) {
    if constexpr (p.computes == convolution_part::weight) {
      constexpr int sums = static_cast<int>(across.kernel) * parts / image_row::width;
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
      detail::unrolled<Together * to_row::count>(
          [&](auto v) { sums[v / to_row::count].vectors[v % to_row::count] = typename to_row::held{}; });
      for (std::ptrdiff_t source = 0; source < sources; ++source)
        for (std::ptrdiff_t k = 0; k < down.kernel; ++k) {
          const std::ptrdiff_t seen = gives_image ? down.position_of(i, k) : down.element(i, k);
          if (seen < 0 || seen >= rows_from) continue;
          from_row line;
          line.load(from + (source * rows_from + seen) * columns_from);
          const stored* w = weight + first * next_channel + source * next_source + k * across.kernel;
          detail::unrolled<kernel>([&](auto l) {
            constexpr std::ptrdiff_t aside = across.element(0, l), shift = gives_image ? -aside : aside;
            detail::unrolled<to_row::count>([&](auto v) {
              const auto x = line.template seen<shift, v>();
              detail::unrolled<Together>([&](auto channel) {
                sums[channel].vectors[v] += to_row::lanes::spread(w[channel * next_channel + l]) * x;
              });
            });
          });
        }
      detail::unrolled<Together>(
          [&](auto channel) { sums[channel].store(to + ((first + channel) * rows_to + i) * columns_to); });
    }
  }

  /// The taps between each channel of x and so many of y, from `first` on, over all samples.
  template <int Together>
  static void weight_rows(const stored* x, stored* weight, const stored* y, std::ptrdiff_t first) {
    constexpr int kernel = static_cast<int>(across.kernel), width = image_row::width, sums = parts / width;
    using held = typename image_row::held;
    for (std::ptrdiff_t c = 0; c < in; ++c)
      for (std::ptrdiff_t k = 0; k < down.kernel; ++k) {
        held all[Together * kernel * sums];
        detail::unrolled<Together * kernel * sums>([&](auto i) { all[i] = held{}; });
        for (std::ptrdiff_t sample = 0; sample < batch; ++sample)
          for (std::ptrdiff_t i = down.first_position(k); i < down.end_position(k); ++i) {
            image_row line;
            line.load(x + (sample * groups * in + c) * image + down.element(i, k) * across.image);
            result_row left[Together];
            detail::unrolled<Together>([&](auto o) {
              left[o].load(y + (sample * groups * out + first + o) * positions + i * across.positions);
            });
            detail::unrolled<kernel>([&](auto l) {
              detail::unrolled<result_row::count>([&](auto v) {
                const held right = line.template seen<across.element(0, l), v>();
                detail::unrolled<Together>(
                    [&](auto o) { all[(o * kernel + l) * sums + v % sums] += left[o].vectors[v] * right; });
              });
            });
          }
        detail::unrolled<Together * kernel>([&](auto i) {
          weight[((first + i / kernel) * in + c) * taps + k * across.kernel + i % kernel] =
              total_of_vectors<sums>(all + i * sums);
        });
      }
  }

  /// One channel of y, row by row: of each tap of each channel, all columns.
  static void forward(const stored* x, const stored* weight, stored* y) {
    for (std::ptrdiff_t row = 0; row < down.positions; ++row) {
      number line[across.positions] = {};
      for (std::ptrdiff_t c = 0; c < in; ++c)
        for (std::ptrdiff_t k = 0; k < down.kernel; ++k) {
          const std::ptrdiff_t from = down.element(row, k);
          if (from < 0 || from >= down.image) continue;
          for (std::ptrdiff_t l = 0; l < across.kernel; ++l) {
            const auto factor = static_cast<number>(weight[(c * down.kernel + k) * across.kernel + l]);
            const stored* seen = x + c * image + from * across.image + across.element(0, l);
            const std::ptrdiff_t end = across.end_position(l);
            for (std::ptrdiff_t column = across.first_position(l); column < end; ++column)
              line[column] += factor * static_cast<number>(seen[column * across.stride]);
          }
        }
      for (std::ptrdiff_t column = 0; column < across.positions; ++column)
        y[row * across.positions + column] = static_cast<stored>(line[column]);
    }
  }

  /// One channel of x, row by row: of each tap of each channel of y, all columns that it has been seen from.
  static void to_image(stored* x, const stored* weight, const stored* y) {
    for (std::ptrdiff_t row = 0; row < down.image; ++row) {
      number line[across.image] = {};
      for (std::ptrdiff_t o = 0; o < out; ++o)
        for (std::ptrdiff_t k = 0; k < down.kernel; ++k) {
          const std::ptrdiff_t from = down.position_of(row, k);
          if (from < 0) continue;
          for (std::ptrdiff_t l = 0; l < across.kernel; ++l) {
            const auto factor = static_cast<number>(weight[o * in * taps + k * across.kernel + l]);
            const stored* seen = y + o * positions + from * across.positions;
            const std::ptrdiff_t end = across.end_position(l);
            for (std::ptrdiff_t column = across.first_position(l); column < end; ++column)
              line[across.element(column, l)] += factor * static_cast<number>(seen[column]);
          }
        }
      for (std::ptrdiff_t column = 0; column < across.image; ++column)
        x[row * across.image + column] = static_cast<stored>(line[column]);
    }
  }

  /// The taps between a channel of x and one of y, over all samples. Column i goes to sum i mod `parts`, and
  /// these are combined by halves.
  static constexpr int parts = row > 8 ? 16 : 8;
  static void to_weight(const stored* x, stored* weight, const stored* y) {
    for (std::ptrdiff_t k = 0; k < down.kernel; ++k)
      for (std::ptrdiff_t l = 0; l < across.kernel; ++l) {
        const std::ptrdiff_t first = across.first_position(l), end = across.end_position(l);
        number sums[parts] = {};
        for (std::ptrdiff_t sample = 0; sample < batch; ++sample)
          for (std::ptrdiff_t i = down.first_position(k); i < down.end_position(k); ++i) {
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

template <class GraphBuilder, class Layout, int Index>
struct bare_family<GraphBuilder, Layout, Index, detail::place_of_family<planned_pooling>> {
  static void run(const bare_memory& m, std::ptrdiff_t iteration) {
    const stored* source[3] = {begin<const stored, p.source[0].base>(m, p.source[0], iteration), nullptr,
                               nullptr};
    if constexpr (p.sources > 1) source[1] = begin<const stored, p.source[1].base>(m, p.source[1], iteration);
    if constexpr (p.sources > 2) source[2] = begin<const stored, p.source[2].base>(m, p.source[2], iteration);
    auto* target = begin<stored, p.result.base>(m, p.result, iteration);
    for (std::ptrdiff_t plane = 0; plane < planes; ++plane)
      if constexpr (gives_image(p.computes)) {
        to_image(source, plane, target + plane * image);
      } else {
        to_positions(source, plane, target + plane * positions);
      }
  }

 private:
  static constexpr planned_pooling p = plan_of<GraphBuilder>.families.template of<planned_pooling>()[Index];
  using stored = storage_of<p.type>;
  using number = computed_as<p.type>;
  static constexpr detail::windows_along down = detail::windows_of(p, 0), across = detail::windows_of(p, 1);
  static constexpr auto planes = static_cast<std::ptrdiff_t>(p.batch * p.channels);
  static constexpr std::ptrdiff_t image = down.image * across.image,
                                  positions = down.positions * across.positions;

  template <class T, int Base>
  static T* begin(const bare_memory& m, const access& a, std::ptrdiff_t iteration) {
    return detail::begin_of<GraphBuilder, Layout, T, Base>(m, a, iteration);
  }
  static number read(const stored* from, std::ptrdiff_t i) { return static_cast<number>(from[i]); }

  /// What a mean at a position is divided by.
  static number count(std::ptrdiff_t row, std::ptrdiff_t column) {
    if constexpr (p.counts_padding) return static_cast<number>(down.kernel * across.kernel);
    return static_cast<number>(down.elements_at(row) * across.elements_at(column));
  }

  /// y of x: the largest element or the mean of a window; or of x, y, v: the sum of v, or the count, where x
  /// is y.
  static void to_positions(const stored* const* source, std::ptrdiff_t plane, stored* y) {
    for (std::ptrdiff_t row = 0; row < down.positions; ++row)
      for (std::ptrdiff_t column = 0; column < across.positions; ++column) {
        const std::ptrdiff_t here = row * across.positions + column;
        number result(0);
        if constexpr (p.computes == pooling_kind::largest)
          result = max_reduction_operation::template identity<number>;
        for (std::ptrdiff_t k = 0; k < down.kernel; ++k)
          for (std::ptrdiff_t l = 0; l < across.kernel; ++l) {
            const std::ptrdiff_t i = down.element(row, k), j = across.element(column, l);
            if (i < 0 || i >= down.image || j < 0 || j >= across.image) continue;
            const std::ptrdiff_t seen = plane * image + i * across.image + j;
            if constexpr (p.computes == pooling_kind::largest) {
              result = max_reduction_operation::combine(result, read(source[0], seen));
            } else if constexpr (p.computes == pooling_kind::mean) {
              result += read(source[0], seen);
            } else if (read(source[0], seen) == read(source[1], plane * positions + here)) {
              if constexpr (p.sources > 2) {
                result += read(source[2], seen);
              } else {
                result += number(1);
              }
            }
          }
        if constexpr (p.computes == pooling_kind::mean) result = result / count(row, column);
        y[here] = static_cast<stored>(result);
      }
  }

  /// The image of s: each element of x gets s of the windows whose y it is, or its part of each window's s.
  static void to_image(const stored* const* source, std::ptrdiff_t plane, stored* result) {
    for (std::ptrdiff_t i = 0; i < down.image; ++i) {
      number line[across.image] = {};
      for (std::ptrdiff_t k = down.kernel - 1; k >= 0; --k) {  // rows of positions from the first one on
        const std::ptrdiff_t row = down.position_of(i, k);
        if (row < 0) continue;
        for (std::ptrdiff_t column = 0; column < across.positions; ++column)
          for (std::ptrdiff_t l = 0; l < across.kernel; ++l) {
            const std::ptrdiff_t j = across.element(column, l);
            if (j < 0 || j >= across.image) continue;
            const std::ptrdiff_t position = plane * positions + row * across.positions + column;
            if constexpr (p.computes == pooling_kind::shared) {
              if (read(source[0], plane * image + i * across.image + j) == read(source[1], position))
                line[j] += read(source[2], position);
            } else {
              line[j] += read(source[0], position) / count(row, column);
            }
          }
      }
      for (std::ptrdiff_t j = 0; j < across.image; ++j)
        result[i * across.image + j] = static_cast<stored>(line[j]);
    }
  }
};

}  // namespace tapeless::bare_kernels
