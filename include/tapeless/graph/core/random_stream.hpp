// SPDX-License-Identifier: BSL-1.0
// Random numbers from a counter: number i of a stream depends on the seed, the stream and i alone.
#pragma once

#include <cstdint>
#include <numbers>

#include <tapeless/graph/core/cmath.hpp>

namespace tapeless {

/// A stream of 64-bit numbers by SplitMix64 (Steele, Lea and Flood, 2014).
class random_stream {
 public:
  constexpr random_stream(std::uint64_t seed, std::uint64_t stream)
      : state_(mix(seed + mix(stream + increment))) {}

  /// The stream that goes on where another one was.
  static constexpr random_stream at(std::uint64_t state) {
    random_stream s(0, 0);
    s.state_ = state;
    return s;
  }
  constexpr std::uint64_t state() const { return state_; }

  constexpr std::uint64_t next() { return mix(state_ += increment); }

  /// Uniform in [0, 1).
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Uniform in 0 .. bound - 1, without bias worth mentioning for bounds below 2^32.
  constexpr std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(uniform() * static_cast<double>(bound));
  }

  /// Normally distributed around 0 with deviation 1 (Box and Muller, 1958).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15u;
  std::uint64_t state_;

  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
};

}  // namespace tapeless
