// SPDX-License-Identifier: BSL-1.0
// flip<axes...>(x): the order along axes reversed.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/axes.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/view_node.hpp>

namespace tapeless {

constexpr value flip(value x, int axis);

struct flip_operation {
  static constexpr value cotangent_of(int, value g, const value*, value y) {
    return flip(g, axis_of(y.get()));
  }
  static constexpr operation op{"flip", gather_kind::flip, jacobian::linear, &cotangent_of};
};

/// Element i along the axis is element extent - 1 - i of x.
/// @formula y_i = x_(n-1-i) along the axes
/// @shapes [..] -> [..]
/// @errors shapes
/// @torch torch.flip
/// @jax jnp.flip
/// @given x = [[1, 2, 3], [4, 5, 6]]
/// @gives tl::flip<1>(x) = [[3, 2, 1], [6, 5, 4]]
constexpr value flip(value x, int axis) {
  axis = detail::axis_of("flip", x, axis);
  if (axis < 0) return x;
  node n = detail::unary_node(flip_operation::op, x, shape_of(x));
  set_axis(n, axis);
  return x.insert(n);
}

template <int... Axes>
struct flip_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const unsigned axes = detail::axis_mask<Axes...>("flip", x);
    for (int i = 0; i < max_rank; ++i)
      if ((axes >> i & 1u) != 0 && i < x.rank()) x = flip(x, i);
    return x;
  }
};

/// x with Axes (all where none is named) turned around.
template <int... Axes>
TAPELESS_FACTORY auto flip(operand auto x) {
  return make<flip_statement<Axes...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous flip(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
