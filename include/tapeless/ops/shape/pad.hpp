// SPDX-License-Identifier: BSL-1.0
// pad<axis, before, after>(x): zeros around x along one axis.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

struct pad_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    const slice_places p = slice_of(y.get());
    return slice(g, p.axis, p.begin, p.step, x[0].get().shape[p.axis]);
  }
  static constexpr operation op{"pad", family::pad, jacobian::linear, &cotangent_of};
};

/// Element before + i * step of the result along the axis is element i of x; the others are zero.
/// @formula y = Before zeros, x, After zeros along the axis
/// @shapes [.., n, ..] -> [.., Before + n + After, ..]
/// @errors shapes
/// @torch torch.nn.functional.pad
/// @jax jnp.pad
/// @given x = [1, 2]
/// @gives tl::pad<-1, 1, 2>(x) = [0, 1, 2, 0, 0]
constexpr value pad(value x, int axis, std::int64_t before, std::int64_t step, std::int64_t extent) {
  if (before == 0 && step == 1 && extent == x.get().shape[axis]) return x;
  node n = detail::unary_node(pad_operation::op, x, shape_of(x));
  n.shape[axis] = extent;
  set_slice(n, {axis, before, step});
  return x.insert(n);
}

template <int Axis, std::int64_t Before, std::int64_t After>
struct pad_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int axis = detail::axis_of("pad", x, Axis);
    if (axis < 0) return x;
    return pad(x, axis, Before, 1, x.builder->extents.add(x.get().shape[axis], Before + After));
  }
};

/// x with Before zeros before it and After behind it along the axis: pad<-1, 1, 1>(x).
template <int Axis, std::int64_t Before, std::int64_t After>
  requires(Before >= 0 && After >= 0)
constexpr value pad(is_value auto x) {
  return make<pad_statement<Axis, Before, After>>(x);
}
template <int Axis, std::int64_t Before, std::int64_t After>
  requires(Before >= 0 && After >= 0)
TAPELESS_FACTORY auto pad(expression_operand auto x) {
  return make<pad_statement<Axis, Before, After>>(x);
}

}  // namespace tapeless
