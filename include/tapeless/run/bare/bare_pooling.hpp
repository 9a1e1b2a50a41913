// SPDX-License-Identifier: BSL-1.0
// Poolings as loops with constant extents, where padding is where loops do not go. Neighbours in a row go in
// vectors where the machine has them, with the same bits: each element is the same operations in the same
// order. In the order of tables, padding is numbers that are 0, and windows of 2 by 2 elements that share
// none are summed up from their first element on.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/run/bare/bare_axis_loops.hpp>
#include <tapeless/run/bare/bare_shuffles.hpp>
#include <tapeless/run/bare/bare_sums.hpp>
#include <tapeless/run/bare/bare_windows.hpp>
#include <tapeless/run/common/element_types.hpp>

namespace tapeless::bare_kernels {

template <auto Shape, class Arithmetic>
struct bare_family<planned_pooling, Shape, Arithmetic> {
  static void run(std::byte* const* operands, std::ptrdiff_t) {
    const stored* source[3] = {begin_of<const stored>(operands, p.source[0]), nullptr, nullptr};
    if constexpr (p.sources > 1) source[1] = begin_of<const stored>(operands, p.source[1]);
    if constexpr (p.sources > 2) source[2] = begin_of<const stored>(operands, p.source[2]);
    auto* target = begin_of<stored>(operands, p.result);
    for (std::ptrdiff_t plane = 0; plane < planes; ++plane)
      if constexpr (gives_image(p.computes)) {
        to_image(source, plane, target + plane * image);
      } else {
        to_positions(source, plane, target + plane * positions);
      }
  }

 private:
  static constexpr auto p = planned_of<planned_pooling, Shape>();
  using stored = storage_of<p.type>;
  using number = computed_as<p.type>;
  static constexpr detail::windows_along down = detail::windows_of(p, 0), across = detail::windows_of(p, 1);
  static constexpr auto planes = static_cast<std::ptrdiff_t>(p.batch * p.channels);
  static constexpr bool as_tables = Arithmetic::sums_as_tables;
  static constexpr bool in_tiles =
      as_tables && std::is_same_v<stored, number> && down.are_pairs() && across.are_pairs();
  static constexpr std::ptrdiff_t image = down.image * across.image,
                                  positions = down.positions * across.positions;

  // So many neighbours are computed at once, where there are `count` whose windows are alike.
  static constexpr int width_for(std::ptrdiff_t count) {
    if constexpr (!std::is_same_v<stored, number> || !std::is_floating_point_v<number>) {
      return 1;
    } else {
      int width = across.kernel <= 8 && across.stride <= 8 ? vector_width<number> : 1;
      while (width > 1 && width > count) width = width <= least_vector_width<number> ? 1 : width / 2;
      return width;
    }
  }
  template <int Width>
  using values = typename detail::part_of<number, Width>::type;
  template <int Width>
  [[gnu::always_inline]] static values<Width> everywhere(number x) {
    if constexpr (Width == 1) {
      return x;
    } else {
      return spread<typename lanes_with<number, Width>::type>(x);
    }
  }
  template <int Width>
  [[gnu::always_inline]] static values<Width> read(const stored* from) {
    if constexpr (Width == 1) {
      return static_cast<number>(*from);
    } else {
      return {lanes_with<number, Width>::type::load(from)};
    }
  }
  /// x where a condition on numbers holds, else 0.
  template <int Width, class Condition>
  [[gnu::always_inline]] static values<Width> only_where(Condition condition, values<Width> x) {
    if constexpr (Width == 1) {
      return condition ? x : number(0);
    } else {
      return choose(condition, x, everywhere<Width>(number(0)));
    }
  }
  /// x[0], x[stride], ...: what neighbouring windows see at a tap, which is a constant for vectors. x is
  /// where the first of them begins. Reads nothing that no window sees.
  template <int Width, class Tap>
  [[gnu::always_inline]] static values<Width> seen(const stored* from, std::ptrdiff_t x, Tap tap) {
    if constexpr (Width == 1 || across.stride == 1) {
      return read<Width>(from + (x + tap));
    } else if constexpr (across.stride == 2 && across.kernel > 1) {
      constexpr std::ptrdiff_t first =
          Tap::value % 2 == 0 && Tap::value + 1 < across.kernel ? Tap::value : Tap::value - 1;
      return {every<Tap::value - first, 2, Width>(read<Width>(from + (x + first)).x,
                                                  read<Width>(from + (x + first + Width)).x)};
    } else {
      values<Width> all;
      for (int i = 0; i < Width; ++i) all.x[i] = from[x + tap + i * across.stride];
      return all;
    }
  }

  static constexpr auto counts_in_columns() {
    std::array<number, static_cast<std::size_t>(across.positions)> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<number>(across.elements_at(static_cast<std::ptrdiff_t>(i)));
    return all;
  }
  /// What means at neighbouring positions are divided by.
  template <int Width>
  [[gnu::always_inline]] static values<Width> counts(std::ptrdiff_t row, std::ptrdiff_t column) {
    if constexpr (p.counts_padding) {
      return everywhere<Width>(static_cast<number>(down.kernel * across.kernel));
    } else if constexpr (Width == 1) {
      return static_cast<number>(down.elements_at(row) * across.elements_at(column));
    } else {
      static constexpr auto in_column = counts_in_columns();
      return everywhere<Width>(static_cast<number>(down.elements_at(row))) *
             read<Width>(in_column.data() + column);
    }
  }

  /// y of x: the largest element or the mean of a window; or of x, y, v: the sum of v, or the count, where x
  /// is y.
  static void to_positions(const stored* const* source, std::ptrdiff_t plane, stored* y) {
    constexpr std::ptrdiff_t first = across.first_position(0), end = across.end_position(across.kernel - 1);
    constexpr int width = width_for(end - first);
    for (std::ptrdiff_t row = 0; row < down.positions; ++row)
      if constexpr (width == 1) {
        for (std::ptrdiff_t column = 0; column < across.positions; ++column)
          to_position<1>(source, plane, row, column, y);
      } else {  // the last vector ends where the row's whole windows do, and computes some of them again
        for (std::ptrdiff_t column = 0; column < first; ++column)
          to_position<1>(source, plane, row, column, y);
        for (std::ptrdiff_t column = first; column < end; column += width)
          to_position<width>(source, plane, row, column < end - width ? column : end - width, y);
        for (std::ptrdiff_t column = end; column < across.positions; ++column)
          to_position<1>(source, plane, row, column, y);
      }
  }
  template <int Width>
  [[gnu::always_inline]] static void to_position(const stored* const* source, std::ptrdiff_t plane,
                                                 std::ptrdiff_t row, std::ptrdiff_t column, stored* y) {
    const std::ptrdiff_t here = row * across.positions + column;
    values<Width> result = everywhere<Width>(
        p.computes == pooling_kind::largest ? max_reduction_operation::template identity<number> : number(0));
    [[maybe_unused]] values<Width> largest;
    if constexpr (p.computes == pooling_kind::tied)
      largest = read<Width>(source[1] + plane * positions + here);
    for (std::ptrdiff_t k = 0; k < down.kernel; ++k) {
      const std::ptrdiff_t i = down.element(row, k);
      if (i < 0 || i >= down.image) {
        add_padding<Width>(result);
        continue;
      }
      const std::ptrdiff_t begin_of_window = plane * image + i * across.image + across.element(column, 0);
      const auto see = [&](auto tap) TAPELESS_INLINED {
        const auto x = seen<Width>(source[0], begin_of_window, tap);
        if constexpr (p.computes == pooling_kind::largest) {
          result = static_cast<values<Width>>(max_reduction_operation::combine(result, x));
        } else if constexpr (p.computes == pooling_kind::mean) {
          result = in_tiles && k == 0 && tap == 0 ? x : static_cast<values<Width>>(result + x);
        } else {
          auto v = everywhere<Width>(number(1));
          if constexpr (p.sources > 2) v = seen<Width>(source[2], begin_of_window, tap);
          const auto tied = only_where<Width>(x == largest, v);
          result = in_tiles && k == 0 && tap == 0 ? tied : static_cast<values<Width>>(result + tied);
        }
      };
      if constexpr (Width > 1) {
        detail::unrolled<static_cast<int>(across.kernel)>(see);
      } else {
        for (std::ptrdiff_t l = 0; l < across.kernel; ++l)
          if (across.element(column, l) >= 0 && across.element(column, l) < across.image) {
            see(l);
          } else {
            add_padding<Width>(result);
          }
      }
    }
    if constexpr (p.computes == pooling_kind::mean)
      result = static_cast<values<Width>>(result / counts<Width>(row, column));
    put<Width>(y + here, result);
  }
  /// What tables add to a sum where a window sees padding, or an element is seen from no position: 0, which
  /// makes 0 of -0.
  template <int Width>
  [[gnu::always_inline]] static void add_padding([[maybe_unused]] values<Width>& sum) {
    if constexpr (as_tables && p.computes != pooling_kind::largest)
      sum = static_cast<values<Width>>(sum + everywhere<Width>(number(0)));
  }
  template <int Width>
  [[gnu::always_inline]] static void put(stored* to, values<Width> x) {
    if constexpr (Width == 1) {
      *to = static_cast<stored>(x);
    } else {
      lanes_with<number, Width>::type::store(to, x.x);
    }
  }

  /// The image of s: each element of x gets s of the windows whose y it is, or its part of each window's s,
  /// in the order of windows.
  static void to_image(const stored* const* source, std::ptrdiff_t plane, stored* result) {
    constexpr int width = width_for(end_group - first_group);
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

  // A window's part of its s, where the element is x.
  template <int Width>
  [[gnu::always_inline]] static values<Width> part(const stored* const* source, std::ptrdiff_t plane,
                                                   [[maybe_unused]] values<Width> x, std::ptrdiff_t row,
                                                   std::ptrdiff_t column) {
    const std::ptrdiff_t here = plane * positions + row * across.positions + column;
    if constexpr (p.computes == pooling_kind::shared) {
      return only_where<Width>(x == read<Width>(source[1] + here), read<Width>(source[2] + here));
    } else {
      return static_cast<values<Width>>(read<Width>(source[0] + here) / counts<Width>(row, column));
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
          for (std::ptrdiff_t j = 0; j < across.image; ++j) add_padding<1>(line[j]);
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
          if (across.would_be_seen_behind(j)) add_padding<1>(line[j]);
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
          add_padding<1>(sum);
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
      x[place] = sums[place] = everywhere<Width>(number(0));
      if constexpr (p.computes == pooling_kind::shared)
        x[place] = of_groups<Width>(source[0] + plane * image + i * across.image + begin_of_group, place);
    });
    for (std::ptrdiff_t k = down.kernel - 1; k >= 0; --k) {
      const std::ptrdiff_t row = down.position_of(i, k);
      if (row < 0) {
        if (down.can_see(i, k))
          detail::unrolled<stride>([&](auto place) TAPELESS_INLINED { add_padding<Width>(sums[place]); });
        continue;
      }
      detail::unrolled<kernel>([&](auto l) TAPELESS_INLINED {
        constexpr int tap = kernel - 1 - l, place = tap % stride;
        add_part<Width>(sums[place], part<Width>(source, plane, x[place], row, group - tap / stride));
      });
    }
    if constexpr (stride == 1) {
      put<Width>(result + begin_of_group, sums[0]);
    } else if constexpr (stride == 2) {
      put<Width>(result + begin_of_group, {zipped<0>(sums[0].x, sums[1].x)});
      put<Width>(result + begin_of_group + Width, {zipped<1>(sums[0].x, sums[1].x)});
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
      return read<Width>(from);
    } else if constexpr (across.stride == 2) {
      return {every<Place::value, 2, Width>(read<Width>(from).x, read<Width>(from + Width).x)};
    } else {
      values<Width> all;
      for (int g = 0; g < Width; ++g) all.x[g] = from[g * across.stride + Place::value];
      return all;
    }
  }
};

}  // namespace tapeless::bare_kernels
