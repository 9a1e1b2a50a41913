// SPDX-License-Identifier: BSL-1.0
// cross<axis>(a, b): the cross product of vectors in space.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/expand.hpp>

namespace tapeless {

template <int Axis>
struct cross_statement {
  static constexpr std::string_view name = "cross";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    shape_list shape;
    const bool fit = a.type() == b.type() && broadcast(shape_of(a), shape_of(b), shape);
    const int axis = fit ? normal_axis(Axis, shape.rank) : -1;
    const auto has_three = [&](value x) {
      const int at = axis - shape.rank + x.rank();
      return at >= 0 && x.get().shape[at] == 3;
    };
    if (axis < 0 || !has_three(a) || !has_three(b))
      return detail::do_not_fit(name, {{"a", a}, {"b", b}}, "two of one type and of extent 3 along the axis");
    // element i is a_(i+1) b_(i+2) - a_(i+2) b_(i+1), around the axis
    const value x = expand(a, shape), y = expand(b, shape);
    return from(x, axis, 1) * from(y, axis, 2) - from(x, axis, 2) * from(y, axis, 1);
  }

 private:
  static constexpr value from(value x, int axis, std::int64_t first) {
    const value parts[] = {slice(x, axis, first, 1, 3 - first), slice(x, axis, 0, 1, first)};
    return concat(parts, 2, axis);
  }
};

/// The cross products along the axis, whose extent is 3; the other axes broadcast.
/// @formula y_0 = a_1 b_2 - a_2 b_1, and so on around the axis
/// @shapes numbers [.., 3, ..] [.., 3, ..] -> [.., 3, ..]
/// @errors small_products
/// @torch torch.linalg.cross
/// @jax jnp.cross
/// @given a = [1, 0, 2]; b = [0, 3, 1]
/// @gives tl::cross(a, b) = [-6, -1, 3]
template <int Axis = -1, class A, class B>
  requires value_operands<A, B>
constexpr value cross(A a, B b) {
  return make<cross_statement<Axis>>(a, b);
}
template <int Axis = -1, class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto cross(A a, B b) {
  return make<cross_statement<Axis>>(a, b);
}

}  // namespace tapeless
