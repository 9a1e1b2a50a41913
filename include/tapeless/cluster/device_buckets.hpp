// SPDX-License-Identifier: BSL-1.0
// What travels between devices at once: buckets of gradients, and parameters of one rank.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tapeless/cluster/buckets.hpp>
#include <tapeless/cluster/device_rounded_sum.hpp>
#include <tapeless/cluster/device_sum.hpp>
#include <tapeless/cluster/nccl_options.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::detail {

/// Gradients that travel together: as they are, and as bf16.
struct device_bucket {
  std::size_t command, first, end;  // behind which it is complete; its parameters
  std::vector<device_numbers> numbers;
  rounded_numbers rounded;
  cuda_kernels::event there;  // its sums
};

// Gradients that stand together travel in one piece, with the zeros between them.
inline void add_piece(std::vector<device_numbers>& all, const device_numbers& n) {
  if (!all.empty() && !n.is_averaged && !all.back().is_averaged && all.back().type == n.type &&
      all.back().owner == n.owner) {
    device_numbers& last = all.back();
    const auto each = static_cast<std::int64_t>(size_of(n.type));
    if (last.at + aligned(last.count * each) == n.at) {
      last.count = aligned(last.count * each) / each + n.count;
      return;
    }
  }
  all.push_back(n);
}

/// The buckets, in the order in which they travel, of a block of gradients whose parameters have such owners;
/// without owners all ranks need all sums.
TAPELESS_COLD inline std::vector<device_bucket> buckets_on_device(
    array_view<std::byte* const> gradients, array_view<std::byte* const> parameters,
    array_view<const parameter_description> descriptions, array_view<const std::size_t> after,
    array_view<const int> owners, array_view<const std::int64_t> bytes, std::int64_t size, bool are_rounded,
    int ranks) {
  std::vector<device_bucket> all;
  for_each_bucket(bytes, size, [&](std::size_t first, std::size_t end) {
    device_bucket b{0, first, end, {}, {}, {}};
    for (std::size_t i = first; i < end; ++i) {
      const parameter_description& p = descriptions[i];
      b.command = std::max(b.command, after[i]);
      if (p.type != element::f32 && p.type != element::f64) continue;  // whole numbers are those of rank 0
      if (p.count == 0) continue;
      const int owner = p.is_buffer || owners.empty() ? -1 : owners[i];
      add_piece(are_rounded && !p.is_buffer ? b.rounded.numbers : b.numbers,
                {p.is_buffer ? parameters[i] : gradients[i], p.count, p.type, p.is_buffer, owner});
    }
    b.rounded.divide(ranks);
    if (!b.numbers.empty() || !b.rounded.numbers.empty()) all.push_back(std::move(b));
  });
  std::sort(all.begin(), all.end(), [](const device_bucket& a, const device_bucket& b) {
    return a.command != b.command ? a.command < b.command : a.first > b.first;
  });
  return all;
}

/// What stands together and has one owner is one piece.
template <class Owner>
std::vector<device_bytes> in_pieces(array_view<std::byte* const> data,
                                    array_view<const parameter_description> descriptions,
                                    const Owner& owner) {
  std::vector<device_bytes> all;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::int64_t bytes = descriptions[i].bytes();
    if (bytes == 0) continue;
    if (!all.empty() && all.back().owner == owner(i) && all.back().at + aligned(all.back().count) == data[i])
      all.back().count = aligned(all.back().count) + bytes;
    else
      all.push_back({data[i], bytes, owner(i)});
  }
  return all;
}

}  // namespace tapeless::detail
