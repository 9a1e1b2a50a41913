// SPDX-License-Identifier: BSL-1.0
// Of what is the same on all ranks, the part that is a rank's own.
#pragma once

#include <cstdint>

#include <tapeless/cluster/collectives/exchanged.hpp>
#include <tapeless/cluster/collectives/sum_of_ranks.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

struct rank_operation {
  static constexpr operation op{"rank", family::concat};
};

namespace detail {

/// Whether an element of the first axis, of as many as there are ranks, is this rank's: [n, 1, ..] of x's
/// rank.
constexpr value is_own(value x) {
  graph& g = *x.builder;
  const std::int64_t ranks = x.get().shape[0];
  const value zeros = expand(make_constant(g, 0, element::i32), {1, {ranks}});
  const value rank = exchanged(rank_operation::op, rank_exchange::rank, zeros);
  shape_list shape{.rank = x.rank()};
  for (int i = 0; i < x.rank(); ++i) shape.extents[i] = i == 0 ? ranks : 1;
  return make_iota(g, shape, 0, element::i32) == reshape(rank, shape);
}

/// Of [n, ..], this rank's element of the first axis, where it is; zero elsewhere.
constexpr value own_element(value x) { return where(is_own(x), vary_by_rank(x), 0.0); }

}  // namespace detail

}  // namespace tapeless
