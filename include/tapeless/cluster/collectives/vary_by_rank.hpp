// SPDX-License-Identifier: BSL-1.0
// vary_by_rank(x): x, of which each rank makes something else.
#pragma once

#include <tapeless/cluster/collectives/sum_of_ranks.hpp>
#include <tapeless/expr/make.hpp>

namespace tapeless {

/// x, which is the same on all ranks, where each rank computes something else of it: the cotangents of all
/// are added up. See all_reduce, whose transpose it is.
/// @formula y = x on each rank; the cotangent is all_reduce of the ranks' cotangents
/// @shapes floating [..] -> [..]
/// @torch none
/// @jax jax.lax.pcast
template <expression_operand X>
TAPELESS_FACTORY auto vary_by_rank(X x) {
  return make<vary_by_rank_operation>(x);
}

}  // namespace tapeless
