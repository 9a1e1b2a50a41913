// SPDX-License-Identifier: BSL-1.0
// argmax<axis>(x): where the largest element is.
#pragma once

#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

namespace detail {

/// The first index at which the element is what Extreme makes of all along the axis: the smallest of the
/// indices where it is. A NaN is found before any number.
template <class Extreme>
constexpr value first_index_of(std::string_view name, value x, unsigned axes, bool keep) {
  int axis = 0;
  while (axis < x.rank() - 1 && (axes >> axis & 1u) == 0) ++axis;
  value y = x;
  if (axes != 1u << axis || x.rank() == 0) {  // all axes are meant
    y = reshape(x, {1, {element_count(*x.builder, shape_of(x))}});
    axis = 0;
  }
  const std::int64_t extent = y.get().shape[axis];
  if (extent == 0) return x.fail(shape_sentence(name, x) << ": there is no element");
  const value found = Extreme::build(y, 1u << axis, true);
  const value index = make_iota(*x.builder, shape_of(y), axis, element::i64);
  const value first = min_reduction_operation::build(
      where(y == found || y != y, index, make_size(*x.builder, extent)), 1u << axis, false);
  return keep ? reshape(first, reduction_operation<sum_operation>::keep_dims_shape(x, axes)) : first;
}

template <class Operation, bool Keep, int... Axis>
struct index_statement : reduction_statement<Operation, Keep, Axis...> {
  static constexpr text refusal() {
    constexpr int axes = sizeof...(Axis);
    return unless_fits(axes <= 1, Operation::name, "one axis, or none for all elements", axes);
  }
};
template <class Operation, bool Keep, int... Axis>
TAPELESS_FACTORY auto index_of(auto x) {
  return make<index_statement<Operation, Keep, Axis...>>(x);
}

}  // namespace detail

struct argmax_operation {
  static constexpr std::string_view name = "argmax";
  static constexpr value build(value x, unsigned axes, bool keep) {
    return detail::first_index_of<max_reduction_operation>(name, x, axes, keep);
  }
};

/// The index of the largest element along the axis, which is dropped, or kept with extent 1; without an axis
/// the index among all elements in row-major order. Of equal elements the first; the first NaN where there is
/// one. Its elements are std::int64_t, and it has no derivative. Over a run-time extent of 0 it means
/// nothing.
/// @formula y = the least i with x_i = max_j x_j; without a derivative
/// @shapes numbers [..] -> std::int64_t, without the axis
/// @errors argmax_of_none reduction_axis orders_and_types
/// @torch torch.argmax
/// @jax jnp.argmax
/// @given x = [[1, 5, 3], [7, 2, 7]]
/// @gives tl::argmax<1>(x) = [1, 0]
/// @gives tl::argmax(x) = 3
template <int... Axis, reduction_operand X>
TAPELESS_FACTORY auto argmax(X x) {
  return detail::index_of<argmax_operation, false, Axis...>(x);
}
template <int... Axis, reduction_operand X>
TAPELESS_FACTORY auto argmax(X x, keep_dims_t) {
  return detail::index_of<argmax_operation, true, Axis...>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous argmax(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
