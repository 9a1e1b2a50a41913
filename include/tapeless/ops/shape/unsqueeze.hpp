// SPDX-License-Identifier: BSL-1.0
// unsqueeze<axis>(x): a new axis of extent 1.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

/// Refused where x has max_rank axes, or the axis is none of the result.
constexpr value unsqueeze(value x, int axis) {
  if (axis < 0 || axis > x.rank() || x.rank() == max_rank)
    return x.fail(detail::shape_sentence("unsqueeze", x) << ": the result cannot have an axis " << axis);
  shape_list shape = shape_of(x);
  for (int i = shape.rank++; i > axis; --i) shape.extents[i] = shape.extents[i - 1];
  shape.extents[axis] = 1;
  return reshape(x, shape);
}

template <int Axis>
struct unsqueeze_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int axis = normal_axis(Axis, x.rank() + 1);
    return unsqueeze(x, axis < 0 ? Axis : axis);
  }
};

/// x with a new axis of extent 1, which is the result's axis of that number: [n, m] -> [1, n, m] by
/// unsqueeze<0>, [n, m, 1] by unsqueeze<-1>.
/// @formula y = the same elements
/// @shapes [..] -> [.., 1, ..]
/// @errors axes_of_one
/// @torch torch.unsqueeze
/// @jax jnp.expand_dims
/// @given x = [1, 2, 3]
/// @gives tl::unsqueeze<0>(x) = [[1, 2, 3]]
/// @gives tl::unsqueeze<-1>(x) = [[1], [2], [3]]
template <int Axis>
TAPELESS_FACTORY auto unsqueeze(operand auto x) {
  return make<unsqueeze_statement<Axis>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous unsqueeze(detail::no_axis, ...) { return {}; }

}  // namespace tapeless
