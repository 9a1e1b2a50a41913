// SPDX-License-Identifier: BSL-1.0
// Poolings by windows of 2 by 2 elements that share none, which most are: each window in registers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/graph/core/operation.hpp>
#include <tapeless/plan/families/planned_pooling.hpp>
#include <tapeless/run/cpu/vectors/neighbour_lanes.hpp>
#include <tapeless/run/cpu/vectors/valid_lanes.hpp>
#include <tapeless/run/cpu/vectors/vector_selection.hpp>

namespace tapeless::cpu_kernels {

constexpr bool are_tiles_of_two(const pooling_arguments& c) {
  for (int d = 0; d < 2; ++d)
    if (c.kernel[d] != 2 || c.stride[d] != 2 || c.padding[d] != 0) return false;
  return true;
}

namespace detail {

/// The largest of four numbers, NaN if one is NaN; without branches that depend on the numbers.
template <class T>
T largest_of(T a, T b, T c, T d) {
  const T ab = a < b ? b : a, cd = c < d ? d : c;
  if (a != a || b != b || c != c || d != d) return no_number<T>;
  return ab < cd ? cd : ab;
}
/// x if the condition holds, else 0; without a branch.
template <class T>
T where_true(bool condition, T x) {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<T>(std::bit_cast<bits>(x) & (bits(0) - static_cast<bits>(condition)));
}

/// The first so many windows of a vector of windows, whose elements fill two.
template <class T>
struct window_lanes {
  explicit window_lanes(std::int64_t count)
      : windows(count),
        first(std::min<std::int64_t>(2 * count, packet_size<T>)),
        second(2 * count - std::min<std::int64_t>(2 * count, packet_size<T>)) {}
  valid_lanes<T> windows, first, second;
};
/// All windows of such a vector.
template <class T>
struct all_window_lanes {
  all_lanes<T> windows = {}, first = {}, second = {};
};
/// A row of two elements of each window: the left ones and the right ones.
template <class T>
struct window_row {
  template <class Lanes>
  window_row(const T* from, const Lanes& lanes) {
    const wide<T> x = load(from, lanes.first), y = load(from + packet_size<T>, lanes.second);
    left = {evens(x.p, y.p)};
    right = {odds(x.p, y.p)};
  }
  wide<T> left, right;
};

/// Calls f(first window, lanes) for the windows of a row by vectors, short ones left out unless they are
/// asked for; returns the first window that is left. Whole: the last vector may go on behind the row.
template <class T, bool Whole, class F>
std::int64_t for_vectors_of_windows(std::int64_t columns, std::int64_t shortest, F f) {
  std::int64_t j = 0;
  for (; Whole ? j < columns : j + packet_size<T> <= columns; j += packet_size<T>)
    f(j, all_window_lanes<T>());
  if constexpr (Whole) return columns;
  if constexpr (masks_memory<T>)
    if (columns - j >= shortest && j < columns) {
      f(j, window_lanes<T>(columns - j));
      j = columns;
    }
  return j;
}

/// Where x is equal to y of its window, s of the window, else 0: for the windows from j on that fill vectors
/// of that size. Returns the first one that is left.
template <class T, class Packet>
std::int64_t share_packets(Packet, const T* x, const T* y, const T* s, T* to, std::int64_t j,
                           std::int64_t columns) {
  using namespace Eigen::internal;
  constexpr std::int64_t windows = unpacket_traits<Packet>::size / 2;
  if constexpr (windows > 0)
    for (; j + windows <= columns; j += windows)
      pstoreu(to + 2 * j,
              pand(pcmp_eq(ploadu<Packet>(x + 2 * j), ploaddup<Packet>(y + j)), ploaddup<Packet>(s + j)));
  return j;
}

/// How many elements of a window are equal to its y, likewise.
template <class T, class Packet>
std::int64_t count_packets(Packet, const T* above, const T* below, const T* y, T* to, std::int64_t j,
                           std::int64_t columns) {
  using namespace Eigen::internal;
  constexpr std::int64_t windows = unpacket_traits<Packet>::size / 2;
  if constexpr (windows > 0) {
    const Packet one = pset1<Packet>(T(1));
    for (; j + windows <= columns; j += windows) {
      const Packet largest = ploaddup<Packet>(y + j);
      T of_columns[2 * windows];
      pstoreu(of_columns, padd(pand(pcmp_eq(ploadu<Packet>(above + 2 * j), largest), one),
                               pand(pcmp_eq(ploadu<Packet>(below + 2 * j), largest), one)));
      for (std::int64_t k = 0; k < windows; ++k) to[j + k] = of_columns[2 * k] + of_columns[2 * k + 1];
    }
  }
  return j;
}
/// Whether masked vectors are worth their price: where some windows of a row do not fill half a vector.
template <class T>
bool masks_windows(std::int64_t columns) {
  return masks_memory<T> && columns % (packet_size<T> / 4 + (packet_size<T> < 4)) != 0;
}
/// What pooling_kind::tied has without values, for the first windows of a row; returns how many.
template <bool Whole, class T>
[[gnu::always_inline]] inline std::int64_t count_in_vectors(const T* above, const T* below, const T* y, T* to,
                                                            std::int64_t columns) {
  if constexpr (masks_memory<T>)
    if (Whole || masks_windows<T>(columns))
      return for_vectors_of_windows<T, Whole>(columns, 1, [&](std::int64_t at, const auto& lanes) {
        const window_row<T> x(above + 2 * at, lanes), z(below + 2 * at, lanes);
        const wide<T> most = load(y + at, lanes.windows);
        const wide<T> one = splat(T(1));
        store(to + at,
              where_equal(x.left, most, one) + where_equal(x.right, most, one) +
                  where_equal(z.left, most, one) + where_equal(z.right, most, one),
              lanes.windows);
      });
  const std::int64_t j = count_packets(packet<T>(), above, below, y, to, 0, columns);
  return count_packets(half_of(packet<T>()), above, below, y, to, j, columns);
}
/// What pooling_kind::shared has, likewise.
template <bool Whole, class T>
[[gnu::always_inline]] inline std::int64_t share_in_vectors(const T* x, const T* y, const T* s, T* to,
                                                            std::int64_t columns) {
  if constexpr (masks_memory<T>)
    if (Whole || masks_windows<T>(columns))
      return for_vectors_of_windows<T, Whole>(columns, 1, [&](std::int64_t at, const auto& lanes) {
        const wide<T> most = load(y + at, lanes.windows), share = load(s + at, lanes.windows);
        const wide<T> left{first_twice(most.p)}, right{second_twice(most.p)};
        const wide<T> z = load(x + 2 * at, lanes.first),
                      next = load(x + 2 * at + packet_size<T>, lanes.second);
        store(to + 2 * at, where_equal(z, left, {first_twice(share.p)}), lanes.first);
        store(to + 2 * at + packet_size<T>, where_equal(next, right, {second_twice(share.p)}), lanes.second);
      });
  const std::int64_t j = share_packets(packet<T>(), x, y, s, to, 0, columns);
  return share_packets(half_of(packet<T>()), x, y, s, to, j, columns);
}

// One row of positions, of the two rows above and below that its windows see, or of one of them.

/// The largest elements, or the means.
template <pooling_kind Computes, bool Whole, class T>
[[gnu::always_inline]] inline void pool_row(const T* above, const T* below, T* to, std::int64_t columns) {
  constexpr bool largest = Computes == pooling_kind::largest;
  std::int64_t j =
      for_vectors_of_windows<T, Whole>(columns, packet_size<T> / 4, [&](std::int64_t at, const auto& lanes) {
        const window_row<T> x(above + 2 * at, lanes), z(below + 2 * at, lanes);
        if constexpr (largest) {
          const wide<T> most = larger(larger(x.left, x.right), larger(z.left, z.right));
          store(to + at, choose(most == most, most, splat(no_number<T>)), lanes.windows);
        } else {
          store(to + at, (x.left + x.right + z.left + z.right) * splat(T(0.25)), lanes.windows);
        }
      });
  for (; j < columns; ++j) {
    const T a = above[2 * j], b = above[2 * j + 1], c = below[2 * j], d = below[2 * j + 1];
    to[j] = largest ? largest_of(a, b, c, d) : (a + b + c + d) * T(0.25);
  }
}
template <bool Whole, class T>
[[gnu::always_inline]] inline void count_ties(const T* above, const T* below, const T* y, T* to,
                                              std::int64_t columns) {
  for (std::int64_t j = count_in_vectors<Whole>(above, below, y, to, columns); j < columns; ++j)
    to[j] = static_cast<T>((above[2 * j] == y[j]) + (above[2 * j + 1] == y[j]) + (below[2 * j] == y[j]) +
                           (below[2 * j + 1] == y[j]));
}
/// What pooling_kind::tied has of values v, which are above, and w.
template <bool Whole, class T>
[[gnu::always_inline]] inline void add_ties(const T* above, const T* below, const T* y, const T* v,
                                            const T* w, T* to, std::int64_t columns) {
  std::int64_t j =
      for_vectors_of_windows<T, Whole>(columns, packet_size<T> / 4, [&](std::int64_t at, const auto& lanes) {
        const window_row<T> x(above + 2 * at, lanes), z(below + 2 * at, lanes), upper(v + 2 * at, lanes),
            lower(w + 2 * at, lanes);
        const wide<T> most = load(y + at, lanes.windows);
        store(to + at,
              where_equal(x.left, most, upper.left) + where_equal(x.right, most, upper.right) +
                  where_equal(z.left, most, lower.left) + where_equal(z.right, most, lower.right),
              lanes.windows);
      });
  for (; j < columns; ++j)
    to[j] = where_true(above[2 * j] == y[j], v[2 * j]) + where_true(above[2 * j + 1] == y[j], v[2 * j + 1]) +
            where_true(below[2 * j] == y[j], w[2 * j]) + where_true(below[2 * j + 1] == y[j], w[2 * j + 1]);
}
template <bool Whole, class T>
[[gnu::always_inline]] inline void share_row(const T* x, const T* y, const T* s, T* to,
                                             std::int64_t columns) {
  for (std::int64_t j = share_in_vectors<Whole>(x, y, s, to, columns); j < columns; ++j) {
    to[2 * j] = where_true(x[2 * j] == y[j], s[j]);
    to[2 * j + 1] = where_true(x[2 * j + 1] == y[j], s[j]);
  }
}
template <class T>
[[gnu::always_inline]] inline void spread_row(const T* s, T* above, T* below, std::int64_t columns) {
  for (std::int64_t j = 0; j < columns; ++j)
    above[2 * j] = above[2 * j + 1] = below[2 * j] = below[2 * j + 1] = s[j] * T(0.25);
}

}  // namespace detail

/// So many positions from the first one of a plane on are read or written where rows are whole vectors. Of
/// the image it is no more in proportion.
template <class T>
std::int64_t reach_of_whole_rows(const pooling_arguments& c) {
  const std::int64_t whole = (c.positions[1] + packet_size<T> - 1) / packet_size<T> * packet_size<T>;
  return (c.positions[0] - 1) * c.positions[1] + whole;
}
/// Whether rows may be whole vectors where there is room: what is written behind a row is written again.
constexpr bool may_write_behind_rows(const pooling_arguments& c, pooling_kind computes) {
  return !gives_image(computes) || (2 * c.positions[0] == c.image[0] && 2 * c.positions[1] == c.image[1]);
}

/// One plane of a pooling with such windows. Sources are those of planned_pooling. Whole: rows are read and
/// written by whole vectors, for which processors read ahead; more planes follow, whose elements are written
/// later.
template <pooling_kind Computes, bool Whole, class T>
void pool_tiles(const pooling_arguments& c, const T* const (&sources)[3], T* target) {
  const std::int64_t rows = c.positions[0], columns = c.positions[1], row_length = c.image[1];
  if constexpr (gives_image(Computes))  // an odd row or column is in no window
    if (2 * rows != c.image[0] || 2 * columns != row_length)
      std::fill_n(target, c.image[0] * row_length, T(0));
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t upper = 2 * i * row_length, lower = upper + row_length, first = i * columns;
    if constexpr (Computes == pooling_kind::shared) {
      const T *const y = sources[1] + first, *const s = sources[2] + first;
      for (const std::int64_t row : {upper, lower})
        detail::share_row<Whole>(sources[0] + row, y, s, target + row, columns);
    } else if constexpr (Computes == pooling_kind::spread) {
      detail::spread_row(sources[0] + first, target + upper, target + lower, columns);
    } else {
      const T *const above = sources[0] + upper, *const below = sources[0] + lower;
      T* const to = target + first;
      if constexpr (Computes != pooling_kind::tied) {
        detail::pool_row<Computes, Whole>(above, below, to, columns);
      } else if (sources[2] == nullptr) {
        detail::count_ties<Whole>(above, below, sources[1] + first, to, columns);
      } else {
        detail::add_ties<Whole>(above, below, sources[1] + first, sources[2] + upper, sources[2] + lower, to,
                                columns);
      }
    }
  }
}

}  // namespace tapeless::cpu_kernels
