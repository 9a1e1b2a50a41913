// SPDX-License-Identifier: BSL-1.0
// What is known of a pooling while compiling, and how its elements are read and written: one, or neighbours
// in a vector.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_axis_loops.hpp>
#include <tapeless/run/bare/bare_shuffles.hpp>
#include <tapeless/run/bare/bare_sums.hpp>
#include <tapeless/run/bare/bare_windows.hpp>
#include <tapeless/run/common/element_types.hpp>

namespace tapeless::bare_kernels {

/// A pooling of this shape.
template <auto Shape, class Arithmetic>
struct bare_pooling_windows {
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
};

}  // namespace tapeless::bare_kernels
