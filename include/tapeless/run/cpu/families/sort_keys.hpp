// SPDX-License-Identifier: BSL-1.0
// Keys of numbers: unsigned numbers in the order of planned_sort, each with the place of its element.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace tapeless::cpu_kernels {

/// So many elements have places of 32 bits.
inline constexpr std::int64_t most_sorted_by_keys = std::int64_t{1} << 32;
/// From so many on sorting digit by digit is faster than std::sort, 3 times with 1024 elements.
inline constexpr std::int64_t least_sorted_by_digits = 128;

/// Numbers of up to 32 bits in their order; NaN is the largest, and zeros are equal.
template <class T>
constexpr std::uint32_t order_key(T x) {
  constexpr std::uint32_t sign = 0x80000000;
  if constexpr (std::is_floating_point_v<T>) {
    if (x != x) return ~std::uint32_t(0);
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x) + 0.0f);
    return (bits & sign) != 0 ? ~bits : bits | sign;
  } else {
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(x)) ^ (std::is_signed_v<T> ? sign : 0);
  }
}

template <bool Downward, class T>
constexpr std::uint64_t key_with_place(T x, std::int64_t place) {
  const std::uint32_t key = order_key(x);
  return static_cast<std::uint64_t>(Downward ? ~key : key) << 32 | static_cast<std::uint32_t>(place);
}
constexpr std::uint64_t place_of_key(std::uint64_t key) { return key & 0xffffffff; }

/// Sorts keys with their places from 0 on, which stand in their order: digits of eight bits, from the last
/// one to the first (Knuth 1973, 5.2.5). There is room for as many keys.
inline void sort_by_digits(std::uint64_t* keys, std::int64_t count, std::uint64_t* room) {
  constexpr int digits = 4, values = 256;
  const auto digit_of = [](std::uint64_t key, int d) {
    return static_cast<std::size_t>(key >> (32 + 8 * d)) % values;
  };
  std::int64_t next[digits][values] = {};  // where the next key with that digit belongs
  for (std::int64_t i = 0; i < count; ++i)
    for (int d = 0; d < digits; ++d) ++next[d][digit_of(keys[i], d)];
  for (auto& of_digit : next) {
    std::int64_t before = 0;
    for (std::int64_t& n : of_digit) before += std::exchange(n, before);
  }
  std::uint64_t *from = keys, *to = room;
  for (int d = 0; d < digits; ++d, std::swap(from, to))
    for (std::int64_t i = 0; i < count; ++i) to[next[d][digit_of(from[i], d)]++] = from[i];
}

}  // namespace tapeless::cpu_kernels
