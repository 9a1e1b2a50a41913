// SPDX-License-Identifier: BSL-1.0
// Sequences of several lengths in one batch: which of its times belong to each.
#pragma once

#include <tapeless/ops/indexing/index_values.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless::detail {

/// [time, batch, 1], true at the times below each sequence's length; of x [time, batch, ..] and integers
/// [batch] from 0 to time.
constexpr value times_within(value x, value lengths) {
  graph& g = *x.builder;
  const std::int64_t times = x.get().shape[0], batch = x.get().shape[1];
  lengths = checked_index(lengths, g.extents.add(times, 1));
  return make_iota(g, {3, {times, 1, 1}}, 0, lengths.type()) < reshape(lengths, {3, {1, batch, 1}});
}

/// x where it is within, and what stands for it elsewhere; x itself where there are no lengths.
constexpr value x_within(value within, value x, value otherwise) {
  return within.exists() ? where(within, x, otherwise) : x;
}
constexpr value zero_beyond(value within, value x) {
  return within.exists() ? where(within, x, make_constant(*x.builder, 0, x.type())) : x;
}

}  // namespace tapeless::detail
