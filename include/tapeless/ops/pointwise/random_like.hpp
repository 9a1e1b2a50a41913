// SPDX-License-Identifier: BSL-1.0
// random_like(x): uniform random numbers. Each depends on its place and the step's key alone, so that it is
// the same whatever the policy, the number of threads, and how often it is computed.
#pragma once

#include <cstdint>

#include <tapeless/ops/pointwise/add.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

namespace detail {

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

}  // namespace detail

/// A multiple of 2^-24 in [0, 1), from an index and a key.
struct random_operation : pointwise_operation<random_operation, 2> {
  static constexpr std::string_view name = "random";
  static constexpr element result = element::f32;
  static constexpr float apply(std::int64_t index, std::int64_t key) {
    return static_cast<float>(detail::random_bits(index, key) >> 40) * 0x1p-24f;
  }
  static constexpr value cotangent(int, value, value, value, value) { return {}; }
};

namespace detail {

/// The key of a stream, a whole number below 2^51. It differs from run to run, and in the body of a loop from
/// iteration to iteration, also of a loop in it.
constexpr value random_key(graph& g, double stream) {
  value key = make_hyperparameter(g, random_key_entry) + stream;
  if (g.region != 0) {
    const value iterations = make_iota(g, {1, {g.regions[g.region - 1].count}}, 0, element::i64);
    value iteration = cast(value{&g, g.in_iteration(iterations.id)}, element::number);
    if (g.unrolled.count != 1)
      iteration =
          static_cast<double>(g.unrolled.count) * iteration + static_cast<double>(g.unrolled.iteration);
    key = key + 65536.0 * iteration;
  }
  return cast(key, element::i64);
}

/// Operation, of an index and a key, for each element of the shape.
template <class Operation>
constexpr value random_numbers(graph& g, const shape_list& shape, value key) {
  const value index = make_iota(g, {1, {element_count(g, shape)}}, 0, element::i64);
  return make<Operation>(reshape(index, shape), key);
}
template <class Operation>
constexpr value random_numbers(graph& g, const shape_list& shape, double stream) {
  return random_numbers<Operation>(g, shape, random_key(g, stream));
}

}  // namespace detail

/// Float numbers in [0, 1) of x's shape, from a stream of their own: drawn anew in each training step.
constexpr value random_like(value x) {
  graph& g = *x.builder;
  return detail::random_numbers<random_operation>(g, shape_of(x), static_cast<double>(g.random_streams++));
}

}  // namespace tapeless
