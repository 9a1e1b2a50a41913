// SPDX-License-Identifier: BSL-1.0
// random_like(x): uniform random numbers. Each depends on its place and the step's key alone, so that it is
// the same whatever the policy, the number of threads, and how often it is computed.
#pragma once

#include <cstdint>

#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/random/random_bits.hpp>
#include <tapeless/ops/random/random_key.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

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
