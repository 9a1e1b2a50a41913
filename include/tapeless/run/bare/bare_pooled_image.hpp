// SPDX-License-Identifier: BSL-1.0
// From the positions of a pooling back to its images.
#pragma once

#include <cstddef>

#include <tapeless/run/bare/bare_pooling_windows.hpp>

namespace tapeless::bare_kernels {

/// The gradient: what each element of an image gets from the positions whose windows see it.
template <auto Shape, class Arithmetic>
struct bare_pooled_image : bare_pooling_windows<Shape, Arithmetic> {
  using base = bare_pooling_windows<Shape, Arithmetic>;
  using base::p, base::down, base::across, base::image, base::positions, base::as_tables, base::in_tiles;
  using typename base::number, typename base::stored;
  template <int Width>
  using values = typename base::template values<Width>;

  /// A plane's image of s: each element of x gets s of the windows whose y it is, or its part of each
  /// window's s, in the order of windows.
  static void run(const stored* const* source, std::ptrdiff_t plane, stored* result) {
    constexpr int width = base::width_for(end_group - first_group);
    for (std::ptrdiff_t i = 0; i < down.image; ++i) {
      stored* const line = result + i * across.image;
      if constexpr (width == 1) {
        to_line(source, plane, i, line);
      } else {
        for (std::ptrdiff_t j = 0; j < across.element(first_group, 0); ++j)
          line[j] = to_element(source, plane, i, j);
        for (std::ptrdiff_t group = first_group; group < end_group; group += width)
          to_groups<width>(source, plane, i, group < end_group - width ? group : end_group - width, line);
        for (std::ptrdiff_t j = across.element(end_group, 0); j < across.image; ++j)
          line[j] = to_element(source, plane, i, j);
      }
    }
  }

 private:
  // A window's part of its s, where the element is x.
  template <int Width>
  [[gnu::always_inline]] static values<Width> part(const stored* const* source, std::ptrdiff_t plane,
                                                   [[maybe_unused]] values<Width> x, std::ptrdiff_t row,
                                                   std::ptrdiff_t column) {
    const std::ptrdiff_t here = plane * positions + row * across.positions + column;
    if constexpr (p.computes == pooling_kind::shared) {
      return base::template only_where<Width>(x == base::template read<Width>(source[1] + here),
                                              base::template read<Width>(source[2] + here));
    } else {
      return static_cast<values<Width>>(base::template read<Width>(source[0] + here) /
                                        base::template counts<Width>(row, column));
    }
  }
  template <int Width>
  [[gnu::always_inline]] static void add_part(values<Width>& sum, values<Width> x) {
    sum = in_tiles ? x : static_cast<values<Width>>(sum + x);
  }
  /// One row, position by position.
  static void to_line(const stored* const* source, std::ptrdiff_t plane, std::ptrdiff_t i, stored* result) {
    number line[across.image] = {};
    for (std::ptrdiff_t k = down.kernel - 1; k >= 0; --k) {  // rows of positions from the first one on
      const std::ptrdiff_t row = down.position_of(i, k);
      if (row < 0) {
        if (down.can_see(i, k))
          for (std::ptrdiff_t j = 0; j < across.image; ++j) base::template add_padding<1>(line[j]);
        continue;
      }
      for (std::ptrdiff_t column = 0; column < across.positions; ++column)
        for (std::ptrdiff_t l = 0; l < across.kernel; ++l) {
          const std::ptrdiff_t j = across.element(column, l);
          if (j < 0 || j >= across.image) continue;
          add_part<1>(line[j], part<1>(source, plane, x_at(source, plane, i, j), row, column));
        }
      if constexpr (as_tables)
        for (std::ptrdiff_t j = 0; j < across.image; ++j)
          if (across.would_be_seen_behind(j)) base::template add_padding<1>(line[j]);
    }
    for (std::ptrdiff_t j = 0; j < across.image; ++j) result[j] = static_cast<stored>(line[j]);
  }
  /// One element.
  static stored to_element(const stored* const* source, std::ptrdiff_t plane, std::ptrdiff_t i,
                           std::ptrdiff_t j) {
    const number x = x_at(source, plane, i, j);
    number sum(0);
    for (std::ptrdiff_t k = down.kernel - 1; k >= 0; --k) {
      const std::ptrdiff_t row = down.position_of(i, k);
      if (row < 0 && !(as_tables && down.can_see(i, k))) continue;
      for (std::ptrdiff_t l = across.kernel - 1; l >= 0; --l) {
        const std::ptrdiff_t column = across.position_of(j, l);
        if (row >= 0 && column >= 0) {
          add_part<1>(sum, part<1>(source, plane, x, row, column));
        } else if (across.can_see(j, l)) {
          base::template add_padding<1>(sum);
        }
      }
    }
    return static_cast<stored>(sum);
  }
  static number x_at(const stored* const* source, std::ptrdiff_t plane, std::ptrdiff_t i, std::ptrdiff_t j) {
    if constexpr (p.computes == pooling_kind::shared)
      return static_cast<number>(source[0][plane * image + i * across.image + j]);
    return number(0);
  }

  // Elements in groups of `stride`: the first one of group g is the first that position g sees. Those from
  // first_group to end_group are in the image, and so are all positions that see them.
  static constexpr std::ptrdiff_t first_group =
                                      tapeless::larger((across.kernel - 1) / across.stride,
                                                       (across.padding + across.stride - 1) / across.stride),
                                  end_group = tapeless::smaller(
                                      across.positions, (across.image + across.padding) / across.stride);

  /// So many groups, from `group` on.
  template <int Width>
  [[gnu::always_inline]] static void to_groups(const stored* const* source, std::ptrdiff_t plane,
                                               std::ptrdiff_t i, std::ptrdiff_t group, stored* result) {
    constexpr int stride = static_cast<int>(across.stride), kernel = static_cast<int>(across.kernel);
    const std::ptrdiff_t begin_of_group = across.element(group, 0);
    values<Width> x[stride], sums[stride];
    detail::unrolled<stride>([&](auto place) TAPELESS_INLINED {
      x[place] = sums[place] = base::template everywhere<Width>(number(0));
      if constexpr (base::p.computes == pooling_kind::shared)
        x[place] = of_groups<Width>(source[0] + plane * base::image + i * base::across.image + begin_of_group,
                                    place);
    });
    for (std::ptrdiff_t k = down.kernel - 1; k >= 0; --k) {
      const std::ptrdiff_t row = down.position_of(i, k);
      if (row < 0) {
        if (down.can_see(i, k))
          detail::unrolled<stride>([&](auto place)
                                       TAPELESS_INLINED { base::template add_padding<Width>(sums[place]); });
        continue;
      }
      detail::unrolled<kernel>([&](auto l) TAPELESS_INLINED {
        constexpr int tap = kernel - 1 - l, place = tap % stride;
        add_part<Width>(sums[place], part<Width>(source, plane, x[place], row, group - tap / stride));
      });
    }
    if constexpr (stride == 1) {
      base::template put<Width>(result + begin_of_group, sums[0]);
    } else if constexpr (stride == 2) {
      base::template put<Width>(result + begin_of_group, {zipped<0>(sums[0].x, sums[1].x)});
      base::template put<Width>(result + begin_of_group + Width, {zipped<1>(sums[0].x, sums[1].x)});
    } else {
      for (int g = 0; g < Width; ++g)
        for (int place = 0; place < stride; ++place)
          result[begin_of_group + g * stride + place] = sums[place].x[g];
    }
  }
  /// The elements at a place of neighbouring groups.
  template <int Width, class Place>
  [[gnu::always_inline]] static values<Width> of_groups(const stored* from, Place) {
    if constexpr (across.stride == 1) {
      return base::template read<Width>(from);
    } else if constexpr (across.stride == 2) {
      return {every<Place::value, 2, Width>(base::template read<Width>(from).x,
                                            base::template read<Width>(from + Width).x)};
    } else {
      values<Width> all;
      for (int g = 0; g < Width; ++g) all.x[g] = from[g * across.stride + Place::value];
      return all;
    }
  }
};

}  // namespace tapeless::bare_kernels
