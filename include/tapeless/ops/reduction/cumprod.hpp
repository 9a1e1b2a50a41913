// SPDX-License-Identifier: BSL-1.0
// cumprod<axis>(x): products of all elements so far along an axis.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/pad.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

constexpr value linear_recurrence(value x, value a, int axis, bool from_the_end);

namespace detail {

/// Element i is element i - 1 of x, the first is 0.
constexpr value previous_along(value x, int axis) {
  extent_table& extents = x.builder->extents;
  const std::int64_t count = x.get().shape[axis];
  if (count == 0) return x;
  // One too many, and then none of them is left out before the extent is known, which may be 0.
  if (!extent_table::is_literal(count))
    return slice(pad(x, axis, 1, 1, extents.add(count, 1)), axis, 0, 1, count);
  return pad(slice(x, axis, 0, 1, extents.subtract(count, 1)), axis, 1, 1, count);
}

}  // namespace detail

/// The cotangents of x are a recurrence in the other direction: no derivative divides, so that zeros need no
/// case of their own.
struct linear_recurrence_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    const scan_places s = prefix_scan_of(y.get());
    const value sums = linear_recurrence(g, x[1], s.axis, !s.from_the_end);
    if (k == 0) return sums;
    const value forward = s.from_the_end ? sums : y, backward = s.from_the_end ? y : sums;
    return backward * detail::previous_along(forward, s.axis);
  }
  static constexpr operation op{"linear_recurrence", prefix_scan_kind::recurrence, jacobian::general,
                                &cotangent_of};
};

/// y_i = x_i + a_i y_{i-1} along the axis, y_0 = x_0. From the end, its transpose in x: y_i = x_i + a_{i+1}
/// y_{i+1}. The shapes and element types of x and a are the same.
constexpr value linear_recurrence(value x, value a, int axis, bool from_the_end) {
  node n = detail::unary_node(linear_recurrence_operation::op, x, shape_of(x));
  n.operand_count = 2;
  n.operands[1] = a.id;
  set_prefix_scan(n, {axis, from_the_end});
  return x.insert(n);
}

struct cumprod_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    const int axis = prefix_scan_of(y.get()).axis;
    // what stands before the first element is 1
    const value one = expand(make_constant(*x[0].builder, 1, x[0].type()), shape_of(x[0]));
    const value before = detail::previous_along(y, axis) + (one - detail::previous_along(one, axis));
    return before * linear_recurrence(g, x[0], axis, true);
  }
  static constexpr operation op{"cumprod", prefix_scan_kind::product, jacobian::general, &cotangent_of};
};

/// Element i along the axis is the product of x's elements 0 to i.
constexpr value cumulative_product(value x, int axis) {
  if (is_half(x.type()))  // multiplied in float
    return cast(cumulative_product(cast(x, element::f32), axis), x.type());
  node n = detail::unary_node(cumprod_operation::op, x, shape_of(x));
  set_prefix_scan(n, {axis, false});
  return x.insert(n);
}

template <int Axis>
struct cumprod_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (!detail::require_kind("cumprod", x, element_kind::numbers) || is_axis_of_scalar(x, Axis)) return x;
    const int axis = detail::axis_of("cumprod", x, Axis);
    return axis < 0 ? x : cumulative_product(x, axis);
  }
};

/// y_i = x_0 ... x_i along the axis, which counts from the end where it is negative; of x's shape. An axis
/// that x does not have is an error.
/// @formula y_i = x_0 x_1 ... x_i
/// @shapes numbers [..] -> [..]
/// @errors axes_and_counts element_kinds
/// @torch torch.cumprod
/// @jax jnp.cumprod
/// @given x = [[1, 2, 3], [4, 0, 6]]
/// @gives tl::cumprod<1>(x) = [[1, 2, 6], [4, 0, 0]]
template <int Axis>
TAPELESS_FACTORY auto cumprod(expression_operand auto x) {
  return make<cumprod_statement<Axis>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous cumprod(detail::no_axis, ...) { return {}; }

}  // namespace tapeless
