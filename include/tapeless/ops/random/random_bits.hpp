// SPDX-License-Identifier: BSL-1.0
// random_bits(index, key): streams of random numbers. Each depends on its place and the key alone.
#pragma once

#include <cstdint>

namespace tapeless::detail {

constexpr std::uint64_t mixed_bits(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
inline constexpr std::uint64_t random_increment = 0x9e3779b97f4a7c15u;
constexpr std::uint64_t random_start(std::int64_t key) {
  return mixed_bits(static_cast<std::uint64_t>(key) * random_increment);
}
constexpr std::uint64_t random_bits_from(std::uint64_t start, std::int64_t index) {
  return mixed_bits(start + (static_cast<std::uint64_t>(index) + 1) * random_increment);
}
/// Number `index` of the stream `key`: SplitMix64 (Steele, Lea and Flood, 2014).
constexpr std::uint64_t random_bits(std::int64_t index, std::int64_t key) {
  return random_bits_from(random_start(key), index);
}

}  // namespace tapeless::detail
