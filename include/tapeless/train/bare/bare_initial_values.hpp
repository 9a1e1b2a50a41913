// SPDX-License-Identifier: BSL-1.0
// How parameters and states start where there is no heap: the values that they have on every policy.
#pragma once

#include <numbers>

#include <tapeless/graph/core/random_stream.hpp>
#include <tapeless/run/bare/bare_functions.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::bare_kernels {

namespace detail {

/// Normally distributed (Box and Muller, 1958), as random_stream has it, by functions of our own.
inline double normal(random_stream& random) {
  const double radius = square_root(-2 * logarithm(1 - random.uniform()));
  return radius * wave(2 * std::numbers::pi * random.uniform(), 1);
}

template <auto Kind>
inline double draw(double value, const given_values* given, std::int64_t i, random_stream& random) {
  if constexpr (Kind == initializer::kind::values) return given->at(i % given->count);
  if constexpr (Kind == initializer::kind::uniform) return value * (2 * random.uniform() - 1);
  if constexpr (Kind == initializer::kind::normal) return value * normal(random);
  return value;
}

}  // namespace detail

/// Gives it its values, the given ones or those of stream `number` of the seed, rounded to its type.
template <element Type, auto Kind>
inline void initialize(std::byte* to, std::int64_t count, double value, const given_values* given,
                       std::uint64_t seed, std::size_t number) {
  random_stream random(seed, number);
  auto* elements = reinterpret_cast<storage_of<Type>*>(to);
  for (std::int64_t i = 0; i < count; ++i)
    elements[i] = static_cast<storage_of<Type>>(
        convert<computed_as<Type>>(detail::draw<Kind>(value, given, i, random)));
}

}  // namespace tapeless::bare_kernels
