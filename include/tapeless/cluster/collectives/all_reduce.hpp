// SPDX-License-Identifier: BSL-1.0
// all_reduce(x): the sum over ranks.
#pragma once

#include <tapeless/cluster/collectives/sum_of_ranks.hpp>
#include <tapeless/expr/make.hpp>

namespace tapeless {

/// The sum of what x is on each rank, added up in the order of ranks: the same bits on all. It runs on
/// tl::cpu_ranks.
///
/// Derivatives are those of one objective, which all ranks compute alike. So the sum, which is the same on
/// all ranks, hands its cotangent to each rank's x as it is, without a message. What goes the other way, from
/// a value that is the same on all ranks to something that each computes for itself, goes through
/// vary_by_rank, whose cotangent is all_reduce. Between the two, parameters are each rank's own; elsewhere
/// they are the same everywhere, and so are their gradients, bit for bit.
/// @formula y = x_0 + x_1 + ..., over ranks; the cotangent of each x_r is y's
/// @shapes floating [..] -> [..]
/// @errors all_reduce_of_indices
/// @torch none
/// @jax jax.lax.psum
template <expression_operand X>
TAPELESS_FACTORY auto all_reduce(X x) {
  return make<all_reduce_operation>(x);
}

}  // namespace tapeless
