// SPDX-License-Identifier: BSL-1.0
// subset, take, skip, shuffle: some samples of a source, or all in another order. Nothing is copied.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <tapeless/data/sample_order.hpp>
#include <tapeless/data/view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/random_seed.hpp>

namespace tapeless::data {

/// The samples with these numbers, in this order; one may come several times. Throws tl::error where there is
/// no such sample.
TAPELESS_WARM inline source subset(const source& from, std::vector<std::int64_t> numbers) {
  for (const std::int64_t number : numbers)
    if (number < 0 || number >= from.size())
      throw_error({"subset: there is no sample ", number, " among ", from.size()});
  return source::make<detail::subset_view>(from, std::move(numbers));
}

/// The first `count` samples, or all where there are fewer. Throws tl::error where `count` is negative.
TAPELESS_WARM inline source take(const source& from, std::int64_t count) {
  if (count < 0) throw_error({"take: count is ", count, "; it must be 0 or more"});
  return source::make<detail::range_view>(from, 0, std::min(count, from.size()));
}

/// All but the first `count` samples: none where there are no more. Throws tl::error where `count` is
/// negative.
TAPELESS_WARM inline source skip(const source& from, std::int64_t count) {
  if (count < 0) throw_error({"skip: count is ", count, "; it must be 0 or more"});
  const std::int64_t first = std::min(count, from.size());
  return source::make<detail::range_view>(from, first, from.is_endless() ? endless : from.size() - first);
}

/// All samples in an order that depends on their number and the seed alone, and is the same in all passes. (A
/// fit shuffles them anew in each pass.) Throws tl::error where they have no end.
TAPELESS_WARM inline source shuffle(const source& from, random_seed seed) {
  detail::require_end(from, "shuffle");
  return source::make<detail::subset_view>(from, detail::shuffled_numbers(from.size(), seed));
}

}  // namespace tapeless::data
