// SPDX-License-Identifier: BSL-1.0
// Sorts numbered items by their keys: small tiles by counting, then pairs of sorted runs into one. Items with
// equal keys stay in order, so that there is one outcome only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tapeless::thrust_kernels {

/// Items and their keys, in memory of the executor's.
struct keyed_items {
  std::uint32_t* keys;
  std::uint32_t* items;

  constexpr void take(std::uint32_t to, const keyed_items& from, std::uint32_t at) const {
    keys[to] = from.keys[at];
    items[to] = from.items[at];
  }
};

/// Brings each item to its place within a tile: behind all that are before it.
struct sort_in_tile {
  static constexpr std::uint32_t size = 128;

  keyed_items source, target;
  std::uint32_t count;

  constexpr void operator()(std::uint32_t item) const {
    const std::uint32_t begin = item / size * size, end = begin + size < count ? begin + size : count;
    const std::uint32_t key = source.keys[item];
    std::uint32_t to = begin;
    for (std::uint32_t i = begin; i < end; ++i)
      to += source.keys[i] < key || (source.keys[i] == key && i < item) ? 1u : 0u;
    target.take(to, source, item);
  }
};

/// Merges pairs of runs of that size: an item goes on by those of the other run that come before it.
struct merge_runs {
  keyed_items source, target;
  std::uint32_t count, run;  // the latter a power of two

  constexpr void operator()(std::uint32_t item) const {
    const std::uint32_t begin = item & ~(2 * run - 1);
    const std::uint32_t middle = count - begin < run ? count : begin + run;
    const std::uint32_t end = count - begin < 2 * run ? count : begin + 2 * run;
    const std::uint32_t key = source.keys[item];
    const bool is_left = item < middle;
    std::uint32_t low = is_left ? middle : begin, high = is_left ? end : middle;
    const std::uint32_t first = low;
    while (low < high) {
      const std::uint32_t half = low + (high - low) / 2;
      if (source.keys[half] < key || (!is_left && source.keys[half] == key))
        low = half + 1;
      else
        high = half;
    }
    target.take((is_left ? item : begin + (item - middle)) + (low - first), source, item);
  }
};

/// Sorts `count` items, below 2^31. Says where they are now: in `all` or in `other`, whose contents are lost.
template <class Executor>
keyed_items stable_sort(std::uint32_t count, keyed_items all, keyed_items other, Executor& executor) {
  executor.for_each(count, sort_in_tile{all, other, count});
  std::swap(all, other);
  for (std::uint32_t run = sort_in_tile::size; run < count; run *= 2) {
    executor.for_each(count, merge_runs{all, other, count, run});
    std::swap(all, other);
  }
  return all;
}

}  // namespace tapeless::thrust_kernels
