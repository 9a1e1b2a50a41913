// SPDX-License-Identifier: BSL-1.0
// jacobian(y, x) and hessian(y, x): all first derivatives of y's elements, all second ones of a scalar.
#pragma once

#include <tapeless/ops/autodiff/custom_op.hpp>
#include <tapeless/ops/autodiff/grad.hpp>
#include <tapeless/ops/control/unrolled_loop.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/shape/permute.hpp>

namespace tapeless {

namespace detail {

/// What y depends on x through.
struct way_through {
  bool loop = false, custom = false;  // a user's own operation
};
constexpr way_through way_between(const graph& g, value y, value x) {
  way_through way;
  list<char> between;
  mark_between(g, x, y, between);
  for (int i = 0; i <= y.id; ++i) {
    if (between[i] == 0) continue;
    const node& n = g.nodes[i];
    way.loop = way.loop || (n.region != 0 && n.region != g.region);
    way.custom = way.custom || is_custom(*n.op);
  }
  return way;
}

/// How the elements of a Jacobian are found: row by row, each by a sweep back from one element of y, or
/// column by column, each by a sweep forward from one element of x.
struct jacobian_sweeps {
  value y, x;
  bool forward;

  /// What has an element for each sweep, and what a sweep gives an element for.
  constexpr value from() const { return forward ? x : y; }
  constexpr value to() const { return forward ? y : x; }

  /// What the sweep gives that begins with `seed`; {} where y does not depend on x.
  constexpr value run(value seed) const {
    if (forward) return tapeless::forward(y, x, seed);
    list<int> wrt, cotangents;
    wrt.push(x.id);
    reverse(y, seed, wrt, cotangents);
    return cotangents[0] < 0 ? value{} : value{y.builder, cotangents[0]};
  }
};

/// What all sweeps give as rows [count, to's shape...], by a loop. {} where y does not depend on x.
constexpr value sweeps_in_a_loop(const jacobian_sweeps& sweeps, std::int64_t count) {
  const value from = sweeps.from();
  graph& g = *from.builder;
  const value numbers = make_iota(g, {1, {count}}, 0, element::i64);
  g.open_region({count, false, false});
  const value iteration{&g, g.in_iteration(numbers.id)};
  const value row = sweeps.run(cast(reshape(numbers, shape_of(from)) == iteration, from.type()));
  value all;
  if (row.exists()) all = {&g, g.stack(in_open_region(g, row.id))};
  g.region = 0;
  return all;
}

/// How many sweeps there may be where there can be no loop over them.
inline constexpr std::int64_t most_sweeps = 64;

/// The same where y's loops, or the one whose body this is in, leave room for none: one after the other.
constexpr value sweeps_one_by_one(const jacobian_sweeps& sweeps, std::int64_t count) {
  const value from = sweeps.from();
  graph& g = *from.builder;
  const value numbers = make_iota(g, {1, {count}}, 0, element::i64);
  list<int> rows;
  for (std::int64_t i = 0; i < count && !g.failed(); ++i) {
    const value seed =
        reshape(numbers, shape_of(from)) == make_constant(g, static_cast<double>(i), element::i64);
    const value row = sweeps.run(cast(seed, from.type()));
    if (!row.exists()) return {};
    rows.push(row.id);
  }
  return stack_of(g, std::move(rows));
}

constexpr value too_many_sweeps(std::string_view what, value y, std::int64_t count) {
  text t;
  t << what
    << " through a scan, or in the body of one, has a run of its own for each element of the result or of "
    << "what it is differentiated by, and so at most " << most_sweeps << ", but there are \"";
  y.builder->extents.describe(t, count);
  return y.fail(t << "\": take vjp or jvp");
}

/// Whether x is known to have fewer elements than y, or as the only one to have a known number.
constexpr bool is_smaller(std::int64_t x_count, std::int64_t y_count) {
  return extent_table::is_literal(x_count) && (!extent_table::is_literal(y_count) || x_count < y_count);
}

/// [y's shape..., x's shape...]: the gradient of each of y's elements.
constexpr value jacobian_of(std::string_view what, value y, value x) {
  graph& g = *y.builder;
  if (g.failed()) return x;
  const shape_list rows = shape_of(y), columns = shape_of(x);
  if (rows.rank + columns.rank > max_rank) {
    text t;
    t << what << " of values of the shapes ";
    g.describe_shape(t, y.get());
    t << " by ";
    g.describe_shape(t, x.get());
    return x.fail(t << " would have more than " << max_rank << " axes");
  }
  const std::int64_t y_count = element_count(g, rows), x_count = element_count(g, columns);
  const way_through way = way_between(g, y, x);
  // A user's derivative may not be linear in its cotangent, and so goes back alone.
  const jacobian_sweeps sweeps{y, x, is_smaller(x_count, y_count) && !way.custom};
  const std::int64_t count = sweeps.forward ? x_count : y_count;
  const bool one_by_one = g.region != 0 || way.loop;
  shape_list shape = rows;
  for (int i = 0; i < columns.rank; ++i) shape.extents[shape.rank++] = columns.extents[i];
  if (y_count == 0 || x_count == 0) return expand(make_constant(g, 0, y.type()), shape);
  if (one_by_one && (!extent_table::is_literal(count) || count > most_sweeps))
    return too_many_sweeps(what, y, count);
  value all = one_by_one ? sweeps_one_by_one(sweeps, count) : sweeps_in_a_loop(sweeps, count);
  if (g.failed()) return x;
  if (!all.exists()) return not_reached(what, x);
  if (sweeps.forward) all = transpose_last(reshape(all, {2, {x_count, y_count}}));
  return reshape(cast(all, y.type()), shape);  // a sweep back gives x's type
}

}  // namespace detail

struct jacobian_statement {
  static constexpr bool built_once = true, differentiates = true;
  static constexpr int arity = 2;
  static constexpr value build(value y, value x) { return detail::jacobian_of("jacobian", y, x); }
  /// Alone, without the graph between them, only the shapes are known.
  static constexpr node_list infer(graph& g, const node_list& v) {
    const value y{&g, v.ids[0]}, x{&g, v.ids[1]};
    return node_list::only(outer_shape(y, shape_of(y), shape_of(x)));
  }
  static constexpr value outer_shape(value y, shape_list shape, const shape_list& more) {
    for (int i = 0; i < more.rank && shape.rank < max_rank; ++i)
      shape.extents[shape.rank++] = more.extents[i];
    return expand(make_constant(*y.builder, 0, y.type()), shape);
  }
};

struct hessian_statement {
  static constexpr bool built_once = true, differentiates = true;
  static constexpr int arity = 2;
  static constexpr value build(value y, value x) {
    return detail::jacobian_of("hessian", grad_statement::build(y, x), x);
  }
  static constexpr node_list infer(graph& g, const node_list& v) {
    const value y{&g, v.ids[0]}, x{&g, v.ids[1]};
    detail::require_scalar("hessian", y, "reduce it (sum, mean)");
    return node_list::only(jacobian_statement::outer_shape(y, shape_of(x), shape_of(x)));
  }
};

/// d y[i...] / d x[j...] at [i..., j...], of the shape [y's..., x's...] and y's element type: a run back from
/// each element of y, or, where x is known to have fewer, a run forward from each element of x, in a loop
/// that is compiled once. Where y is made by a scan, and in the body of one, each run is compiled by itself,
/// so there they are at most 64, and their number is known while compiling.
/// @formula J[i.., j..] = dy[i..] / dx[j..]
/// @shapes y [a..], x [b..] -> [a.., b..]
/// @errors jacobian_of_scan jacobian_of_function
/// @torch torch.func.jacrev, torch.func.jacfwd
/// @jax jax.jacrev, jax.jacfwd
/// @given x = [1, 2]
/// @gives tl::jacobian(tl::square(x), x) = [[2, 0], [0, 4]]
template <expression_operand Y, expression_operand X>
TAPELESS_FACTORY auto jacobian(Y y, X x) {
  return make<jacobian_statement>(y, x);
}
/// Refuses what is no expression.
template <class... X>
  requires detail::no_expressions<X...>
constexpr auto jacobian(const X&...) {
  return detail::refuse_derivative<X...>();
}

/// The second derivatives d2 y / d x[i...] d x[j...] of a scalar y, of the shape [x's..., x's...]: the
/// jacobian of the gradient. Where only products with vectors are needed, grad(dot(grad(y, x), v), x) is
/// cheaper.
/// @formula H[i.., j..] = d2y / dx[i..] dx[j..]
/// @shapes a floating scalar y, x [a..] -> [a.., a..]
/// @errors jacobian_of_scan
/// @torch torch.func.hessian
/// @jax jax.hessian
/// @given x = [1, 2]
/// @gives tl::hessian(tl::prod(x), x) = [[0, 1], [1, 0]]
template <expression_operand Y, expression_operand X>
TAPELESS_FACTORY auto hessian(Y y, X x) {
  return make<hessian_statement>(y, x);
}
/// Refuses what is no expression.
template <class... X>
  requires detail::no_expressions<X...>
constexpr auto hessian(const X&...) {
  return detail::refuse_derivative<X...>();
}

}  // namespace tapeless
