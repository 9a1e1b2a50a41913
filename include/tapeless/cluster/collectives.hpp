// SPDX-License-Identifier: BSL-1.0
// all_reduce, all_gather, vary_by_rank, own_part: values of several processes as expressions, with
// derivatives of every order.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/structural/rank_exchange.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/permute.hpp>
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

struct rank_operation {
  static constexpr operation op{"rank", family::concat};
};

/// The parts of all ranks along a new first axis.
struct gather_ranks_operation {
  static constexpr value cotangent_of(int, value g, const value*, value y);
  static constexpr operation op{"all_gather", family::concat, jacobian::linear, &cotangent_of};
};

namespace detail {

constexpr value exchanged(const operation& op, rank_exchange exchange, value x) {
  if (x.type() != element::f32 && x.type() != element::f64 && exchange != rank_exchange::rank) {
    text t;
    return x.fail(t << op.name << " of a value of type " << name_of(x.type())
                    << ": it takes float and double");
  }
  node n = unary_node(op, x, shape_of(x));
  set_axis(n, 0);
  set_exchange(n, exchange);
  return x.insert(n);
}

/// Whether an element of the first axis, of as many as there are ranks, is this rank's: [n, 1, ..] of x's
/// rank.
constexpr value is_own(value x) {
  graph& g = *x.builder;
  const value zero = expand(make_constant(g, 0, element::i32), {1, {1}});
  const value rank = exchanged(rank_operation::op, rank_exchange::rank, zero);
  shape_list shape{.rank = x.rank()};
  for (int i = 0; i < x.rank(); ++i) shape.extents[i] = i == 0 ? x.get().shape[0] : 1;
  shape_list ones = shape;
  ones.extents[0] = 1;
  return make_iota(g, shape, 0, element::i32) == reshape(rank, ones);
}

/// Of [n, ..], this rank's element of the first axis, where it is; zero elsewhere.
constexpr value own_element(value x) { return where(is_own(x), vary_by_rank(x), 0.0); }

/// axis of x, of ranks times as many elements, or the other way round: [.., n e, ..] as [n, .., e, ..].
constexpr value ranks_first(value x, int axis, std::int64_t ranks, std::int64_t each) {
  shape_list divided{.rank = x.rank() + 1};
  int order[max_rank] = {axis};
  for (int i = 0; i <= x.rank(); ++i) {
    divided.extents[i] = i == axis ? ranks : i == axis + 1 ? each : x.get().shape[i < axis ? i : i - 1];
    if (i < axis) order[i + 1] = i;
    if (i > axis) order[i] = i;
  }
  return permute(reshape(x, divided), order);
}
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

}  // namespace detail

constexpr value gather_ranks_operation::cotangent_of(int, value g, const value*, value) {
  return detail::own_element(g);
}

constexpr value all_reduce(value x) {
  const shape_list shape = shape_of(x);
  const value whole = shape.rank == 0 ? reshape(x, {1, {1}}) : x;
  return reshape(detail::exchanged(all_reduce_operation::op, rank_exchange::sum, whole), shape);
}

namespace detail {

constexpr value all_gather(value x, int ranks, int axis) {
  shape_list shape{.rank = x.rank() + 1, .extents = {1}}, all;
  for (int i = 0; i < x.rank(); ++i) shape.extents[i + 1] = x.get().shape[i];
  all = shape;
  all.extents[0] = ranks;
  return ranks_within(
      exchanged(gather_ranks_operation::op, rank_exchange::gather, expand(reshape(x, shape), all)), axis);
}

constexpr value own_part(value x, int ranks, int axis) {
  const std::int64_t extent = x.get().shape[axis];
  if (!extent_table::is_literal(extent) || extent % ranks != 0)
    return x.fail(shape_sentence("own_part", x)
                  << ": axis " << axis << " cannot be divided evenly among " << ranks << " ranks");
  return sum_operation::build(own_element(ranks_first(x, axis, ranks, extent / ranks)), 1u, false);
}

}  // namespace detail

struct all_reduce_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) { return all_reduce(x); }
};
struct vary_by_rank_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) { return vary_by_rank(x); }
};
template <int Ranks, int Axis>
struct all_gather_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int axis = detail::axis_of("all_gather", x, Axis);
    return axis < 0 ? x : detail::all_gather(x, Ranks, axis);
  }
};
template <int Ranks, int Axis>
struct own_part_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int axis = detail::axis_of("own_part", x, Axis);
    return axis < 0 ? x : detail::own_part(x, Ranks, axis);
  }
};

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
/// @torch none
/// @jax jax.lax.psum
template <expression_operand X>
TAPELESS_FACTORY auto all_reduce(X x) {
  return make<all_reduce_statement>(x);
}

/// x, which is the same on all ranks, where each rank computes something else of it: the cotangents of all
/// are added up. See all_reduce, whose transpose it is.
/// @formula y = x on each rank; the cotangent is all_reduce of the ranks' cotangents
/// @shapes floating [..] -> [..]
/// @torch none
/// @jax jax.lax.pcast
template <expression_operand X>
TAPELESS_FACTORY auto vary_by_rank(X x) {
  return make<vary_by_rank_statement>(x);
}

/// What x is on each of the ranks, end to end along the axis, in the order of ranks: the same on all. The
/// cotangent of a rank's x is its own part.
/// @formula y = x_0, x_1, ... along the axis, over ranks
/// @shapes floating [.., n, ..] -> [.., Ranks n, ..]
/// @torch none
/// @jax jax.lax.all_gather
template <int Ranks, int Axis = -1, expression_operand X>
TAPELESS_FACTORY auto all_gather(X x) {
  static_assert(Ranks >= 1, "tapeless: all_gather<Ranks>: there is one rank or more");
  return make<all_gather_statement<Ranks, Axis>>(x);
}

/// Of x, which is the same on all ranks, this rank's of as many equal parts along the axis as there are
/// ranks. The transpose of all_gather.
/// @formula y = x[r n : (r + 1) n] along the axis, on rank r; the cotangent is all_gather of the ranks'
/// @shapes floating [.., Ranks n, ..] -> [.., n, ..]
/// @torch none
/// @jax none
template <int Ranks, int Axis = -1, expression_operand X>
TAPELESS_FACTORY auto own_part(X x) {
  static_assert(Ranks >= 1, "tapeless: own_part<Ranks>: there is one rank or more");
  return make<own_part_statement<Ranks, Axis>>(x);
}

}  // namespace tapeless
