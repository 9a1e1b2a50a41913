// SPDX-License-Identifier: BSL-1.0
// random_like(x): uniform random numbers. Each depends on its place and the step's key alone, so that it is
// the same whatever the policy, the number of threads, and how often it is computed.
#pragma once

#include <cstdint>

#include <tapeless/ops/pointwise/add.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

/// Number `index` of the stream `key`: SplitMix64 (Steele, Lea and Flood, 2014), 24 bits of it.
struct random_operation : pointwise_operation<random_operation, 2> {
  static constexpr std::string_view name = "random";
  static constexpr element result = element::f32;
  static constexpr float apply(std::int64_t index, std::int64_t key) {
    const std::uint64_t start = mix(static_cast<std::uint64_t>(key) * increment);
    const std::uint64_t bits = mix(start + (static_cast<std::uint64_t>(index) + 1) * increment);
    return static_cast<float>(bits >> 40) * 0x1p-24f;
  }
  static constexpr value cotangent(int, value, value, value, value) { return {}; }

 private:
  static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15u;
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
};

/// Float numbers in [0, 1) of x's shape, from a stream of their own: drawn anew in each training step.
constexpr value random_like(value x) {
  graph& g = *x.builder;
  value key = make_hyperparameter(g, random_key_entry) + static_cast<double>(g.random_streams++);
  if (g.region != 0) {  // every iteration has streams of its own
    const value iterations = make_iota(g, {1, {g.regions[g.region - 1].count}}, 0, element::i64);
    key = key + 65536.0 * cast(value{&g, g.in_iteration(iterations.id)}, element::number);
  }
  const value index = make_iota(g, {1, {element_count(g, shape_of(x))}}, 0, element::i64);
  return make<random_operation>(reshape(index, shape_of(x)), cast(key, element::i64));
}

}  // namespace tapeless
