// SPDX-License-Identifier: BSL-1.0
// jacobian(y, x) and hessian(y, x): all first derivatives of y's elements, all second ones of a scalar.
#pragma once

#include <tapeless/ops/autodiff/grad.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

namespace detail {

/// [y's shape..., x's shape...], by a loop over y's elements whose iteration i is the gradient of element i.
constexpr value jacobian_of(std::string_view what, value y, value x) {
  graph& g = *y.builder;
  const shape_list rows = shape_of(y), columns = shape_of(x);
  if (rows.rank + columns.rank > max_rank) {
    text t;
    t << what << " of values of the shapes ";
    g.describe_shape(t, y.get());
    t << " by ";
    g.describe_shape(t, x.get());
    return x.fail(t << " would have more than " << max_rank << " axes");
  }
  if (g.region != 0) return x.fail(text() << what << " in the body of scan: use grad or vjp there");
  const std::int64_t count = element_count(g, rows);
  const value numbers = make_iota(g, {1, {count}}, 0, element::i64);
  g.open_region({count, false, false});
  const value iteration{&g, g.in_iteration(numbers.id)};
  const value seed = cast(reshape(numbers, rows) == iteration, y.type());
  list<int> wrt, row;
  wrt.push(x.id);
  reverse(y, seed, wrt, row);
  if (row[0] < 0) {
    g.region = 0;
    return not_reached(what, x);
  }
  const int inside = g.nodes[row[0]].region == g.region ? row[0] : insert_copy(g, row[0], g.region);
  const value all{&g, g.stack(inside)};
  g.region = 0;
  shape_list shape = rows;
  for (int i = 0; i < columns.rank; ++i) shape.extents[shape.rank++] = columns.extents[i];
  return reshape(all, shape);
}

}  // namespace detail

struct jacobian_statement {
  static constexpr bool built_once = true;
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
  static constexpr bool built_once = true;
  static constexpr int arity = 2;
  static constexpr value build(value y, value x) {
    return detail::jacobian_of("hessian", grad_statement::build(y, x), x);
  }
  static constexpr node_list infer(graph& g, const node_list& v) {
    grad_statement::infer(g, v);
    const value y{&g, v.ids[0]}, x{&g, v.ids[1]};
    return node_list::only(jacobian_statement::outer_shape(y, shape_of(x), shape_of(x)));
  }
};

/// d y[i...] / d x[j...] at [i..., j...], of the shape [y's..., x's...]: one run back for each element of y,
/// in a loop that is compiled once. The body of scan refuses it: there, stack<0>(grad(at<0>(y), x),
/// grad(at<1>(y), x)) is that of a y of two elements.
/// @formula J[i.., j..] = dy[i..] / dx[j..]
/// @shapes y [a..], x [b..] -> [a.., b..]
/// @errors jacobian_of_scan jacobian_of_function
/// @torch torch.func.jacrev
/// @jax jax.jacrev
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

/// The second derivatives d2 y / d x[i...] d x[j...] of a scalar y, of the shape [x's..., x's...]. Where only
/// products with vectors are needed, grad(dot(grad(y, x), v), x) is cheaper.
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
