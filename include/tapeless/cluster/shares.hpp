// SPDX-License-Identifier: BSL-1.0
// Who has what: a batch's samples, or bytes, divided among ranks.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>

namespace tapeless::detail {

/// Rank r's part of `count` things begins at begin_of_share(count, r, size), and ends where the next one's
/// begins. The first ranks have one more where it does not come out even.
constexpr std::int64_t begin_of_share(std::int64_t count, int rank, int size) {
  const std::int64_t rest = count % size;
  return count / size * rank + (rank < rest ? rank : rest);
}

/// The rank's part of the items, in the same order.
template <class T>
array_view<T> share_of(array_view<T> all, int rank, int size) {
  const auto count = static_cast<std::int64_t>(all.size());
  const std::int64_t first = begin_of_share(count, rank, size);
  return all.subspan(static_cast<std::size_t>(first),
                     static_cast<std::size_t>(begin_of_share(count, rank + 1, size) - first));
}

/// Where the ranks' parts of so many bytes begin, and the end: in blocks of 64.
inline std::vector<std::int64_t> even_ranges(std::int64_t bytes, int size) {
  std::vector<std::int64_t> begin;
  for (int r = 0; r < size; ++r) begin.push_back(64 * begin_of_share(bytes / 64, r, size));
  begin.push_back(bytes);
  return begin;
}

/// The largest number of bytes, up to `most`, of which all ranges have whole multiples.
constexpr std::int64_t unit_of(array_view<const std::int64_t> begin, std::int64_t most) {
  std::int64_t common = 0;
  for (const std::int64_t b : begin) common = std::gcd(common, b);
  if (common == 0) return 1;
  std::int64_t units = (common - 1) / most + 1;
  while (common % units != 0) ++units;
  return common / units;
}

}  // namespace tapeless::detail
