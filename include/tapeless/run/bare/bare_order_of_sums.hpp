// SPDX-License-Identifier: BSL-1.0
// Sums of fused kernels with constant extents in the order that tables have: see order_of_sums.hpp.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <tapeless/run/bare/bare_shuffles.hpp>
#include <tapeless/run/bare/bare_sums.hpp>
#include <tapeless/run/common/kernel_key.hpp>
#include <tapeless/run/common/order_of_sums.hpp>

namespace tapeless::bare_kernels::detail {

/// What is added up where, of a nest whose loops are in this order.
struct constant_order_of_sums {
  std::ptrdiff_t lines = 1;  // so many of the innermost loop are one result, where that is reduced
  bool are_one_sum = true;   // lines are added up in the same accumulators
  bool has_blocks = false;   // more iterations are reduced than fit into a block
};
/// Lanes: of the vectors that go along the innermost loop, if it is reduced, or 0.
template <class Nest>
constexpr constant_order_of_sums order_of_sums(const Nest& nest, bool is_rounded, int lanes) {
  constant_order_of_sums order;
  if (nest.rank == 0 || nest.accumulates) return order;
  for (int d = 0; d + 1 < nest.rank; ++d)
    if ((nest.reduced >> d & 1u) != 0) order.lines *= static_cast<std::ptrdiff_t>(nest.extents[d]);
  const bool in_accumulators = outer_loops(nest, most_sums_in_memory(is_rounded, lanes > 0)).in_accumulators;
  order.are_one_sum = in_accumulators || order.lines == 1;
  const auto last = static_cast<std::ptrdiff_t>(nest.extents[nest.rank - 1]);
  const std::ptrdiff_t iterations = lanes == 0
                                        ? (in_accumulators ? order.lines : 0)
                                        : (last + lanes - 1) / lanes * (in_accumulators ? order.lines : 1);
  order.has_blocks = iterations > iterations_of_a_block;
  return order;
}

/// The levels of what a store sums up in Value.
template <store_key Key, class Value>
constexpr auto levels_of_store() {
  if constexpr (Key.reduction < 0) {
    return std::type_identity<std::nullptr_t>{};
  } else {
    return std::type_identity<iteration_accumulator<reduction_operation_at<Key.reduction>, Value>>{};
  }
}

/// How many iterations are in a block so far, and which levels hold something.
struct filled_blocks {
  level_counts filled;
  int iterations = 0;

  int room() const { return iterations_of_a_block - iterations; }
};

/// Two vectors one after the other.
template <int Width, class Half>
[[gnu::always_inline]] inline auto joined(Half a, Half b) {
  return shuffled(a, b, std::make_integer_sequence<int, Width>{});
}

}  // namespace tapeless::bare_kernels::detail
