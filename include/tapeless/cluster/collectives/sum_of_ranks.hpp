// SPDX-License-Identifier: BSL-1.0
// The sum over ranks and its transpose: values that ranks make of a common one. Each is the other's
// derivative.
#pragma once

#include <tapeless/cluster/collectives/exchanged.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

constexpr value all_reduce(value x);

/// The value itself, of which each rank computes something else from here on: so cotangents are added up.
struct vary_by_rank_operation {
  static constexpr value cotangent_of(int, value g, const value*, value) { return all_reduce(g); }
  static constexpr operation op{"vary_by_rank", family::alias, jacobian::linear, &cotangent_of};
};
constexpr value vary_by_rank(value x) {
  return x.insert(detail::unary_node(vary_by_rank_operation::op, x, shape_of(x)));
}

struct all_reduce_operation {
  static constexpr value cotangent_of(int, value g, const value*, value) { return vary_by_rank(g); }
  static constexpr operation op{"all_reduce", family::concat, jacobian::linear, &cotangent_of};
};

constexpr value all_reduce(value x) {
  const shape_list shape = shape_of(x);
  const value whole = shape.rank == 0 ? reshape(x, {1, {1}}) : x;
  return reshape(detail::exchanged(all_reduce_operation::op, rank_exchange::sum, whole), shape);
}

}  // namespace tapeless
