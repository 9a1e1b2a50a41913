// SPDX-License-Identifier: BSL-1.0
// How parameters start: the same values for the same seed, however the model is run.
#pragma once

#include <cstdint>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/random_stream.hpp>
#include <tapeless/train/program/orthonormalize.hpp>
#include <tapeless/train/program/parameters.hpp>

namespace tapeless {

namespace detail {

/// Element k; its kind is one of those whose elements know nothing of one another.
inline double draw(const initializer& start, std::int64_t k, random_stream& random) {
  if (start.kind == initializer::kind::values) return start.given->at(k % start.given->count);
  if (start.kind == initializer::kind::uniform) return start.value * (2 * random.uniform() - 1);
  if (start.kind == initializer::kind::normal) return start.value * random.normal();
  return start.value;
}

/// A matrix of normal numbers, made orthogonal: [first extent, all others]. Where a loop's iterations have
/// parameters of their own, each of these is such a matrix.
TAPELESS_COLD inline std::vector<double> orthogonal_values(const parameter_description& p,
                                                           random_stream& random) {
  const auto extent = [&](std::size_t d) { return static_cast<std::size_t>(p.shape[d]); };
  const std::size_t all = static_cast<std::size_t>(p.count), parts = p.start.stacked ? extent(0) : 1;
  const std::size_t rows = extent(p.start.stacked ? 1 : 0);
  std::vector<double> values(all);
  if (all == 0) return values;
  const std::size_t columns = all / parts / rows;
  std::vector<double> vectors(all / parts);
  for (std::size_t part = 0; part < parts; ++part) {
    double* const matrix = values.data() + part * vectors.size();
    // vector j, element i, is element (i, j) of a high matrix, and (j, i) of a wide one
    const bool high = rows >= columns;
    const auto place = [&](std::size_t k) { return high ? k % columns * rows + k / columns : k; };
    for (std::size_t k = 0; k < vectors.size(); ++k) vectors[place(k)] = random.normal();
    orthonormalize(vectors, high ? rows : columns);
    for (std::size_t k = 0; k < vectors.size(); ++k) matrix[k] = p.start.value * vectors[place(k)];
  }
  return values;
}

/// The norms of the parts of `whole` that the elements of p stand for by broadcasting; iteration by iteration
/// where both are stacked.
TAPELESS_COLD inline std::vector<double> norms(const parameter_description& whole,
                                               array_view<const double> values,
                                               const parameter_description& p) {
  std::vector<double> result(static_cast<std::size_t>(p.count));
  if (whole.count == 0) return result;
  const bool stacked = whole.start.stacked && p.start.stacked;
  const std::int64_t parts = stacked ? whole.shape[0] : 1, size = whole.count / parts;
  for (std::int64_t k = 0; k < whole.count; ++k) {
    std::int64_t rest = k % size, stride = 1, place = k / size * (p.count / parts);
    for (int d = 1; d <= p.rank - (stacked ? 1 : 0); ++d) {  // from the last axis on
      const std::int64_t extent = whole.shape[static_cast<std::size_t>(whole.rank - d)];
      const std::int64_t own = p.shape[static_cast<std::size_t>(p.rank - d)];
      if (own != 1) place += rest % extent * stride;
      rest /= extent;
      stride *= own;
    }
    const double x = values[static_cast<std::size_t>(k)];
    result[static_cast<std::size_t>(place)] += x * x;
  }
  for (double& x : result) x = std::sqrt(x);
  return result;
}

/// The values of a parameter's elements, or of a state's that starts as parameter number `number` does.
TAPELESS_COLD inline std::vector<double> initial_values(const parameter_description& p, std::size_t number,
                                                        array_view<const parameter_description> parameters,
                                                        std::uint64_t seed) {
  random_stream random(seed, number);
  if (p.start.kind == initializer::kind::orthogonal) return orthogonal_values(p, random);
  if (p.start.kind == initializer::kind::norm) {
    std::size_t of = 0;
    while (parameters[of].label != p.start.of) ++of;
    return norms(parameters[of], initial_values(parameters[of], of, parameters, seed), p);
  }
  std::vector<double> values(static_cast<std::size_t>(p.count));
  for (std::int64_t k = 0; k < p.count; ++k) values[static_cast<std::size_t>(k)] = draw(p.start, k, random);
  return values;
}

}  // namespace detail

/// A function that computes values of elements that know of one another.
using value_computation = std::vector<double> (*)(const parameter_description&, std::size_t,
                                                  array_view<const parameter_description>, std::uint64_t);

/// What computes such values of these parameters or states; null where they have none. Where that is known
/// while compiling, programs without them do not contain it.
template <class Descriptions>
constexpr value_computation value_computation_of(const Descriptions& all) {
  for (const parameter_description& p : all)
    if (p.start.is_computed()) return &detail::initial_values;
  return nullptr;
}

namespace detail {

/// Gives it its values, rounded to its type.
template <class = compiled_once>
void initialize(const parameter_description& p, std::size_t number,
                array_view<const parameter_description> parameters, value_computation compute,
                std::uint64_t seed, std::byte* to) {
  const auto size = static_cast<std::int64_t>(size_of(p.type));
  if (p.start.is_computed()) {
    const std::vector<double> values = compute(p, number, parameters, seed);
    for (std::int64_t k = 0; k < p.count; ++k)
      store_number(values[static_cast<std::size_t>(k)], p.type, to + k * size);
  } else {
    random_stream random(seed, number);
    for (std::int64_t k = 0; k < p.count; ++k) store_number(draw(p.start, k, random), p.type, to + k * size);
  }
}

}  // namespace detail

/// Gives every parameter its initial values, each from a stream of its own; `compute` is
/// value_computation_of the parameters.
inline void initialize_parameters(array_view<const parameter_description> parameters,
                                  value_computation compute, array_view<std::byte* const> data,
                                  std::uint64_t seed) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    detail::initialize(parameters[i], i, parameters, compute, seed, data[i]);
}

/// The same of a rule's states, where a copy of a parameter starts as that does.
inline void initialize_states(array_view<const state_description> states, value_computation compute,
                              array_view<std::byte* const> data,
                              array_view<const parameter_description> parameters, std::uint64_t seed) {
  for (std::size_t i = 0; i < states.size(); ++i)
    detail::initialize(states[i], static_cast<std::size_t>(states[i].of), parameters, compute, seed, data[i]);
}

}  // namespace tapeless
