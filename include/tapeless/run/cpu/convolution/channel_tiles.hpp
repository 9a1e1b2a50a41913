// SPDX-License-Identifier: BSL-1.0
// Sums of products whose vectors go over channels: runs of numbers, each times the vectors of its step, and
// as many sums at once as there are registers.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/run/cpu/convolution/windowed_sums.hpp>

namespace tapeless::cpu_kernels {

/// Of a tile: so many runs, each of so many numbers, and so many vectors.
inline constexpr int runs_at_once = 3;
inline constexpr int run_length = has_many_registers ? 4 : 2;
inline constexpr int channel_vectors_at_once = 2;
inline constexpr int numbers_of_tile = runs_at_once * run_length;

/// The runs that so many numbers are.
constexpr std::int64_t runs_of(std::int64_t numbers) { return (numbers + run_length - 1) / run_length; }

/// What the tiles of a sum share: `count` segments of `length` steps each. At step k of segment s, number i
/// of a run is from[offsets[s] + k * step + i * spacing], where `from` is the run's.
struct channel_segments {
  const std::int64_t* offsets;
  std::int64_t count, length, step;
};

/// How the numbers of a tile are in memory. Of pixels: the channels of a pixel are neighbours, and sums go
/// over them and over windows; of channels: sums go over pixels.
enum class numbers_of { pixels, channels };

namespace detail {

template <numbers_of Numbers, int Vectors, class T>
void add_tile(const T* const (&runs)[runs_at_once], const channel_segments& segments, const T* vectors,
              std::int64_t vector_stride, T* sums, bool adds) {
  constexpr int width = packet_size<T>;
  constexpr int spacing = Numbers == numbers_of::pixels ? width : 1;
  wide<T> tile[numbers_of_tile][Vectors];
  unrolled<numbers_of_tile>([&](auto i) { unrolled<Vectors>([&](auto v) { tile[i][v] = splat(T(0)); }); });
  for (std::int64_t s = 0; s < segments.count; ++s) {
    const std::int64_t offset = segments.offsets[s];
    const T *first = runs[0] + offset, *second = runs[1] + offset, *third = runs[2] + offset;
    for (std::int64_t k = 0; k < segments.length; ++k) {
      wide<T> x[Vectors];
      unrolled<Vectors>([&](auto v) { x[v] = load(vectors + v * vector_stride); });
      unrolled<runs_at_once>([&](auto r) {
        const T* const from = r == 0 ? first : r == 1 ? second : third;
        unrolled<run_length>([&](auto i) {
          const wide<T> number = splat(from[i * spacing]);
          constexpr int at = r * run_length + i;
          unrolled<Vectors>([&](auto v) { tile[at][v] = multiply_add(number, x[v], tile[at][v]); });
        });
      });
      first += segments.step, second += segments.step, third += segments.step;
      vectors += width;
    }
  }
  unrolled<numbers_of_tile>([&](auto i) {
    unrolled<Vectors>([&](auto v) {
      T* const to = sums + (i * Vectors + v) * width;
      store(to, adds ? load(to) + tile[i][v] : tile[i][v]);
    });
  });
}

}  // namespace detail

/// sums[r][i][v] (+)= the sum over all steps of number i of run r times vector v of the step, a vector for
/// each i and v. Vectors of one v are neighbours, step after step; `count` is 1 or channel_vectors_at_once.
template <numbers_of Numbers, class T>
[[gnu::noinline]] void add_channel_tile(int count, const T* const (&runs)[runs_at_once],
                                        const channel_segments& segments, const T* vectors,
                                        std::int64_t vector_stride, T* sums, bool adds) {
  if (count == 1) return detail::add_tile<Numbers, 1>(runs, segments, vectors, vector_stride, sums, adds);
  detail::add_tile<Numbers, channel_vectors_at_once>(runs, segments, vectors, vector_stride, sums, adds);
}

}  // namespace tapeless::cpu_kernels
