// SPDX-License-Identifier: BSL-1.0
// Rows of images in vectors, with zeros beyond their ends, and what is seen of them from a few columns aside.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_shuffles.hpp>
#include <tapeless/run/bare/bare_vectors.hpp>

namespace tapeless::bare_kernels {

/// Sums that are kept in vectors at once: a quarter of the registers is for what they are made of.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int sums_in_registers = 24;
#else
inline constexpr int sums_in_registers = 12;
#endif

#if defined(__GNUC__) && !defined(__CUDACC__)

namespace detail {

/// Lanes of two vectors that have half as many each: those of the first one, then the last ones of Count.
template <int Width, int Count, int... I>
constexpr auto overlapping_sequence(std::integer_sequence<int, I...>) {
  return std::integer_sequence<int, (I < Width / 2 ? I : I < Count ? Width + I - Count : 0)...>{};
}
template <class Lanes, int Count, int... I>
[[gnu::always_inline]] inline auto first_lanes(std::integer_sequence<int, I...>) {
  return typename Lanes::integers{(I < Count ? -1 : 0)...};
}

}  // namespace detail

/// The first Count lanes, zeros in the others.
template <class Lanes, int Count>
[[gnu::always_inline]] inline typename Lanes::held first_of(typename Lanes::held x) {
  return detail::first_lanes<Lanes, Count>(std::make_integer_sequence<int, Lanes::width>{})
             ? x
             : typename Lanes::held{};
}
/// The first Count lanes from memory, zeros in the others. Reads nothing beyond.
template <class Lanes, int Count>
[[gnu::always_inline]] inline typename Lanes::held load_first(const typename Lanes::number* from) {
  using number = typename Lanes::number;
  constexpr int width = Lanes::width, half = width / 2;
  if constexpr (Count == width) {
    return Lanes::load(from);
  } else if constexpr (half >= least_vector_width<number> && Count >= half) {
    using halves = vector_lanes<number, half>;
    const typename Lanes::held x = detail::shuffled(
        halves::load(from), halves::load(from + Count - half),
        detail::overlapping_sequence<width, Count>(std::make_integer_sequence<int, width>{}));
    return first_of<Lanes, Count>(x);
  } else {
    typename Lanes::held x{};
    for (int i = 0; i < Count; ++i) x[i] = from[i];
    return x;
  }
}
/// Writes the first Count lanes, and nothing beyond.
template <class Lanes, int Count>
[[gnu::always_inline]] inline void store_first(typename Lanes::number* to, typename Lanes::held x) {
  using number = typename Lanes::number;
  constexpr int width = Lanes::width, half = width / 2;
  if constexpr (Count == width) {
    Lanes::store(to, x);
  } else if constexpr (half >= least_vector_width<number> && Count >= half) {
    using halves = vector_lanes<number, half>;
    halves::store(to, every<0, 1, half>(x, x));
    halves::store(to + Count - half, every<Count - half, 1, half>(x, x));
  } else {
    for (int i = 0; i < Count; ++i) to[i] = x[i];
  }
}

/// A row of Extent numbers, in as many vectors as hold Room.
template <class T, std::ptrdiff_t Extent, std::ptrdiff_t Room>
struct bare_row {
  static constexpr int width = [] {
    int least = least_vector_width<T>;
    while (least < Room && least < vector_width<T>) least *= 2;
    return least;
  }();
  static constexpr int count = static_cast<int>((Room + width - 1) / width);
  using lanes = vector_lanes<T, width>;
  using held = typename lanes::held;

  held vectors[count];

  [[gnu::always_inline]] void load(const T* from) {
    detail::unrolled<count>([&](auto v) TAPELESS_INLINED {
      if constexpr (in_vector<v> > 0) {
        vectors[v] = load_first<lanes, in_vector<v>>(from + v * width);
      } else {
        vectors[v] = held{};
      }
    });
  }
  /// Zeros where the condition does not hold.
  [[gnu::always_inline]] void load_where(bool is_there, const T* from) {
    if (is_there) {
      load(from);
    } else {
      detail::unrolled<count>([&](auto v) TAPELESS_INLINED { vectors[v] = held{}; });
    }
  }
  [[gnu::always_inline]] void store(T* to) const {
    detail::unrolled<count>([&](auto v) TAPELESS_INLINED {
      if constexpr (in_vector<v> > 0) store_first<lanes, in_vector<v>>(to + v * width, vectors[v]);
    });
  }
  /// Numbers Shift + width * Vector and those behind it; zeros beyond the row's ends.
  template <std::ptrdiff_t Shift, int Vector>
  [[gnu::always_inline]] held seen() const {
    constexpr std::ptrdiff_t first = Shift + width * Vector, steps = first + 4 * room,
                             from = steps / width - 4 * count, lane = steps % width;
    static_assert(steps >= 0);
    if constexpr (lane == 0) {
      return vector_at<from>();
    } else {
      return every<static_cast<int>(lane), 1, width>(vector_at<from>(), vector_at<from + 1>());
    }
  }

 private:
  static constexpr std::ptrdiff_t room = count * width;
  template <int Vector>
  static constexpr int in_vector = static_cast<int>(Extent - Vector * width >= width ? width
                                                    : Extent - Vector * width <= 0   ? 0
                                                                                   : Extent - Vector * width);
  template <std::ptrdiff_t Vector>
  [[gnu::always_inline]] held vector_at() const {
    if constexpr (Vector >= 0 && Vector < count) {
      return vectors[Vector];
    } else {
      return held{};
    }
  }
};

#else

template <class Lanes, int Count>
typename Lanes::held first_of(typename Lanes::held x);
template <class T, std::ptrdiff_t Extent, std::ptrdiff_t Room>
struct bare_row;

#endif

}  // namespace tapeless::bare_kernels
