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
  static constexpr int arity = 1;
  static constexpr value cotangent_of(int, value g, const value*, value) { return all_reduce(g); }
  static constexpr operation op{"vary_by_rank", family::alias, jacobian::linear, &cotangent_of};
  static constexpr value build(value x) { return x.insert(detail::unary_node(op, x, shape_of(x))); }
};
constexpr value vary_by_rank(value x) { return vary_by_rank_operation::build(x); }

struct all_reduce_operation {
  static constexpr int arity = 1;
  static constexpr value cotangent_of(int, value g, const value*, value) { return vary_by_rank(g); }
  static constexpr operation op{"all_reduce", family::concat, jacobian::linear, &cotangent_of};
  static constexpr value build(value x) {
    const shape_list shape = shape_of(x);
    const value whole = shape.rank == 0 ? reshape(x, {1, {1}}) : x;
    return reshape(detail::exchanged(op, rank_exchange::sum, whole), shape);
  }
};
constexpr value all_reduce(value x) { return all_reduce_operation::build(x); }

}  // namespace tapeless
