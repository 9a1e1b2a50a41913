// SPDX-License-Identifier: BSL-1.0
// split and k_folds: some samples to train with, others to validate on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <tapeless/data/sample_order.hpp>
#include <tapeless/data/view.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/random_seed.hpp>

namespace tapeless::data {

/// Samples to train with, and others that are held back: auto [train, validation] = split(data, 0.2).
struct split_samples {
  source train, validation;
};

namespace detail {

/// The samples at the places [begin, end) of a random order are held back; both parts keep their order.
template <class = compiled_once>
split_samples hold_back(const source& from, array_view<const std::int64_t> order, std::size_t begin,
                        std::size_t end) {
  std::vector<bool> is_held_back(order.size());  // no list, whose size is an int
  for (std::size_t i = begin; i < end; ++i) is_held_back[static_cast<std::size_t>(order[i])] = true;
  std::vector<std::int64_t> train, validation;
  train.reserve(order.size() - (end - begin));
  validation.reserve(end - begin);
  for (std::size_t i = 0; i < order.size(); ++i)
    (is_held_back[i] ? validation : train).push_back(static_cast<std::int64_t>(i));
  return {source::make<subset_view>(from, std::move(train)),
          source::make<subset_view>(from, std::move(validation))};
}

}  // namespace detail

/// Holds a share of the samples back, chosen at random: the same ones whenever the size and the seed are.
/// Throws tl::error where the share is not from 0 to 1, or the samples have no end.
template <class = compiled_once>
TAPELESS_WARM split_samples split(const source& from, double share, random_seed seed = 0) {
  detail::require_end(from, "split");
  if (!(share >= 0 && share <= 1)) throw_error({"split: the share is ", share, "; it must be from 0 to 1"});
  const std::vector<std::int64_t> order = detail::shuffled_numbers(from.size(), seed);
  const auto held_back = std::llround(share * static_cast<double>(from.size()));
  return detail::hold_back(from, order, 0, static_cast<std::size_t>(held_back));
}

/// Divides the samples at random into k parts whose sizes differ by one at most, and holds each of them back
/// once: for (auto& [train, validation] : k_folds(data, 5)). Throws tl::error where k is not from 2 to the
/// number of samples, or these have no end.
template <class Folds = std::vector<split_samples>>
TAPELESS_WARM Folds k_folds(const source& from, int k, random_seed seed = 0) {
  detail::require_end(from, "k_folds");
  if (k < 2 || k > from.size())
    throw_error({"k_folds: k is ", k, "; it must be from 2 to the number of samples, ", from.size()});
  const std::vector<std::int64_t> order = detail::shuffled_numbers(from.size(), seed);
  Folds folds;
  const auto parts = static_cast<std::size_t>(k);
  for (std::size_t i = 0; i < parts; ++i)
    folds.push_back(detail::hold_back(from, order, order.size() * i / parts, order.size() * (i + 1) / parts));
  return folds;
}

}  // namespace tapeless::data
