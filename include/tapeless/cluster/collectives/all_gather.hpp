// SPDX-License-Identifier: BSL-1.0
// all_gather<n>(x): what n ranks have, end to end.
#pragma once

#include <string_view>

#include <tapeless/cluster/collectives/exchanged.hpp>
#include <tapeless/cluster/collectives/own_element.hpp>
#include <tapeless/expr/make.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

/// The parts of all ranks along a new first axis.
struct gather_ranks_operation {
  static constexpr value cotangent_of(int, value g, const value*, value) { return detail::own_element(g); }
  static constexpr operation op{"all_gather", family::concat, jacobian::linear, &cotangent_of};
};

namespace detail {

/// [n, .., e, ..] as [.., n e, ..]: what ranks have along a first axis becomes part of another one.
constexpr value ranks_within(value x, int axis) {
  int order[max_rank] = {};
  for (int i = 0; i < x.rank(); ++i) order[i] = i < axis ? i + 1 : i == axis ? 0 : i;
  const value placed = permute(x, order);
  shape_list joined{.rank = x.rank() - 1};
  for (int i = 0; i < joined.rank; ++i)
    joined.extents[i] = i < axis ? placed.get().shape[i]
                        : i == axis
                            ? x.builder->extents.multiply(placed.get().shape[i], placed.get().shape[i + 1])
                            : placed.get().shape[i + 1];
  return reshape(placed, joined);
}

struct all_gather_exchange {
  static constexpr std::string_view name = "all_gather";
  static constexpr value build(value x, int ranks, int axis) {
    shape_list shape{.rank = x.rank() + 1, .extents = {1}}, all;
    for (int i = 0; i < x.rank(); ++i) shape.extents[i + 1] = x.get().shape[i];
    all = shape;
    all.extents[0] = ranks;
    return ranks_within(
        exchanged(gather_ranks_operation::op, rank_exchange::gather, expand(reshape(x, shape), all)), axis);
  }
};

}  // namespace detail

/// What x is on each of the ranks, end to end along the axis, in the order of ranks: the same on all. The
/// cotangent of a rank's x is its own part.
/// @formula y = x_0, x_1, ... along the axis, over ranks
/// @shapes floating [.., n, ..] -> [.., Ranks n, ..]
/// @errors all_gather_of_indices
/// @torch none
/// @jax jax.lax.all_gather
template <int Ranks, int Axis = -1, expression_operand X>
TAPELESS_FACTORY auto all_gather(X x) {
  static_assert(Ranks >= 1, "tapeless: all_gather<Ranks>: there is one rank or more");
  return make<detail::statement_along_axis<detail::all_gather_exchange, Ranks, Axis>>(x);
}

}  // namespace tapeless
