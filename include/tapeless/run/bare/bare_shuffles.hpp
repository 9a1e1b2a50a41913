// SPDX-License-Identifier: BSL-1.0
// The lanes of vectors in another order, and the sums of all lanes.
#pragma once

#include <utility>

namespace tapeless::bare_kernels {

#if defined(__GNUC__) && !defined(__CUDACC__)

namespace detail {

/// The lanes Lane of two vectors, those of the second from its width on.
template <int... Lane, class Held>
[[gnu::always_inline]] inline auto shuffled(Held a, Held b, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(a, b, Lane...);
}
template <int First, int Step, int... I>
constexpr auto lane_sequence(std::integer_sequence<int, I...>) {
  return std::integer_sequence<int, (First + Step * I)...>{};
}

}  // namespace detail

/// Lanes First, First + Step, ... of two vectors, so many that they fill a vector of Count.
template <int First, int Step, int Count, class Held>
[[gnu::always_inline]] inline auto every(Held a, Held b) {
  return detail::shuffled(a, b, detail::lane_sequence<First, Step>(std::make_integer_sequence<int, Count>{}));
}

namespace detail {

// AVX moves lanes within the halves of a vector in a cycle, and across them in many, unless it is AVX-512.
#if defined(__AVX__) && !defined(__AVX512VL__)
template <class Held>
inline constexpr bool has_separate_halves = sizeof(Held) == 32;
#else
template <class Held>
inline constexpr bool has_separate_halves = false;
#endif

template <int Width, int Part, int... I>
constexpr auto zip_sequence(std::integer_sequence<int, I...>) {
  return std::integer_sequence<int, (Part * Width / 2 + I / 2 + (I % 2) * Width)...>{};
}
/// Where lane `lane` of the halves number Part of two vectors' blocks comes from.
template <int Block, int Part>
constexpr int lane_of_block(int lane) {
  constexpr int half = Block / 2;
  return lane / half * Block + Part * half + lane % half;
}
template <int Block, int Part, int... I>
constexpr auto half_block_sequence(std::integer_sequence<int, I...>) {
  return std::integer_sequence<int, lane_of_block<Block, Part>(I)...>{};
}
/// The same in two others, one of the first halves of both vectors, one of the last.
template <int Width, int Block, int Part, int... I>
constexpr auto half_block_sequence_in_halves(std::integer_sequence<int, I...>) {
  constexpr auto there = [](int lane) {
    const int from = lane_of_block<Block, Part>(lane), half = Width / 2;
    return from % Width / half * Width + from / Width * half + from % half;
  };
  return std::integer_sequence<int, there(I)...>{};
}
template <class Held>
inline constexpr int width_of = static_cast<int>(sizeof(Held) / sizeof(Held{}[0]));

}  // namespace detail

/// A vector of Count lanes that has those of a shorter one again and again. Each doubling is one instruction.
template <int Count, class Held>
[[gnu::always_inline]] inline auto repeated_lanes(Held x) {
  if constexpr (Count == detail::width_of<Held>) {
    return x;
  } else {
    const auto half = repeated_lanes<Count / 2>(x);
    return detail::shuffled(half, half, std::make_integer_sequence<int, Count>{});
  }
}

/// The lanes of two vectors in turn: half of them, the first (Part 0) or the last (1).
template <int Part, class Held>
[[gnu::always_inline]] inline Held zipped(Held a, Held b) {
  constexpr int width = detail::width_of<Held>;
  return detail::shuffled(a, b, detail::zip_sequence<width, Part>(std::make_integer_sequence<int, width>{}));
}
/// Two vectors in blocks of so many lanes: the first half of each block, and the last.
template <class Held>
struct block_halves {
  Held first, last;
};
template <int Block, class Held>
[[gnu::always_inline]] inline block_halves<Held> split_blocks(Held a, Held b) {
  constexpr int width = detail::width_of<Held>;
  constexpr auto lanes = std::make_integer_sequence<int, width>{};
  if constexpr (detail::has_separate_halves<Held> && Block < width) {
    const auto [x, y] = split_blocks<width>(a, b);
    return {detail::shuffled(x, y, detail::half_block_sequence_in_halves<width, Block, 0>(lanes)),
            detail::shuffled(x, y, detail::half_block_sequence_in_halves<width, Block, 1>(lanes))};
  } else {
    return {detail::shuffled(a, b, detail::half_block_sequence<Block, 0>(lanes)),
            detail::shuffled(a, b, detail::half_block_sequence<Block, 1>(lanes))};
  }
}

/// The sum of a vector's lanes, by halves: soon, or else in few instructions.
template <bool Soon = true, class Held>
[[gnu::always_inline]] inline auto total_of_lanes(Held x) {
  constexpr int width = detail::width_of<Held>;
  if constexpr (width == 4 && !Soon) {
    const Held halves = x + detail::shuffled(x, x, std::integer_sequence<int, 2, 3, 0, 1>{});
    return halves[0] + halves[1];
  } else if constexpr (width > 4) {
    return total_of_lanes<Soon>(every<0, 1, width / 2>(x, x) + every<width / 2, 1, width / 2>(x, x));
  } else if constexpr (width == 4) {
    return (x[0] + x[2]) + (x[1] + x[3]);
  } else {
    return x[0] + x[1];
  }
}
/// That of several vectors one after the other.
template <int Count, class Held>
[[gnu::always_inline]] inline auto total_of_vectors(const Held* x) {
  if constexpr (Count == 1) {
    return total_of_lanes(x[0]);
  } else {
    Held halves[Count / 2];
    for (int i = 0; i < Count / 2; ++i) halves[i] = x[i] + x[i + Count / 2];
    return total_of_vectors<Count / 2>(halves);
  }
}

#else

// Only named, in what is not compiled where there are no vectors.
namespace detail {
template <int... Lane, class Held>
auto shuffled(Held a, Held b, std::integer_sequence<int, Lane...>);
}  // namespace detail
template <int First, int Step, int Count, class Held>
auto every(Held a, Held b);
template <int Count, class Held>
auto repeated_lanes(Held x);
template <int Part, class Held>
Held zipped(Held a, Held b);
template <class Held>
struct block_halves {
  Held first, last;
};
template <int Block, class Held>
block_halves<Held> split_blocks(Held a, Held b);
template <bool Soon = true, class Held>
auto total_of_lanes(Held x);
template <int Count, class Held>
auto total_of_vectors(const Held* x);

#endif

}  // namespace tapeless::bare_kernels
