// SPDX-License-Identifier: BSL-1.0
// Items end up where std::stable_sort puts them.
#include <algorithm>
#include <numeric>
#include <vector>

#include <tapeless/run/gpu/kernels/stable_sort.hpp>
#include <tapeless/run/thrust_host/host_executor.hpp>

#include "catch.hpp"

using namespace tapeless::thrust_kernels;

namespace {

struct table {
  std::vector<std::uint32_t> keys, items;
  explicit table(std::uint32_t count) : keys(count), items(count) {}
  keyed_items all() { return {keys.data(), items.data()}; }
};

void check_sorted(std::uint32_t count, std::uint32_t different) {
  INFO(count << " items, " << different << " keys");
  table source(count), other(count);
  std::uint32_t state = count;
  for (std::uint32_t& key : source.keys) key = ((state = state * 1664525u + 1013904223u) >> 4) % different;
  std::iota(source.items.begin(), source.items.end(), 0u);
  const std::vector<std::uint32_t> keys = source.keys;
  std::vector<std::uint32_t> expected = source.items;
  std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });

  host_executor executor;
  const keyed_items sorted = stable_sort(count, source.all(), other.all(), executor);
  CHECK(std::equal(expected.begin(), expected.end(), sorted.items));
  bool all = true;
  for (std::uint32_t i = 0; i < count; ++i) all = all && sorted.keys[i] == keys[expected[i]];
  CHECK(all);
}

}  // namespace

TEST_CASE("stable_sort: any number of items, with few and with many keys") {
  for (const std::uint32_t count : {1u, 2u, 127u, 128u, 129u, 255u, 256u, 257u, 300u, 513u, 1000u, 20000u})
    for (const std::uint32_t different : {1u, 2u, 7u, 300u, 1u << 28}) check_sorted(count, different);
}
