// SPDX-License-Identifier: BSL-1.0
// index_select<axis>(x, index): whole slices along an axis, by their numbers.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <int Axis>
struct index_select_statement {
  static constexpr int arity = 2;
  static constexpr value build(value x, value index) {
    if (is_axis_of_scalar(x, Axis)) return reshape(build(detail::as_vector(x), index), shape_of(x));
    const int axis = normal_axis(Axis, x.rank());
    if (axis < 0 || index.rank() != 1 || !detail::is_index(index))
      return detail::index_does_not_fit(
          text() << "index_select<" << Axis << "> takes a value with that axis and a row of integers; it", x,
          index);
    shape_list ones = shape_of(x), shape = shape_of(x);
    for (int i = 0; i < ones.rank; ++i) ones.extents[i] = i == axis ? index.get().shape[0] : 1;
    shape.extents[axis] = index.get().shape[0];
    index = detail::checked_index(index, x.get().shape[axis]);
    return gather(x, axis, expand(reshape(index, ones), shape));
  }
};

/// Slice i of the result along the axis is slice index[i] of x: [.., n, ..] [k] -> [.., k, ..]. Indices are
/// of an integer type, 0 or more and below n.
/// @formula y[.., i, ..] = x[.., index[i], ..]
/// @shapes [.., n, ..], integers [k] -> [.., k, ..]
/// @errors indices
/// @torch torch.index_select
/// @jax jnp.take
/// @given x = [[1, 2], [3, 4], [5, 6]]; index = int32 [2, 2, 0]
/// @gives tl::index_select<0>(x, index) = [[5, 6], [5, 6], [1, 2]]
template <int Axis>
TAPELESS_FACTORY auto index_select(expression_operand auto x, expression_operand auto index) {
  return make<index_select_statement<Axis>>(x, index);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous index_select(detail::no_axis, ...) { return {}; }

}  // namespace tapeless
