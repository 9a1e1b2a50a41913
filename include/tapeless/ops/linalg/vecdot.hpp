// SPDX-License-Identifier: BSL-1.0
// vecdot<axis>(a, b): the scalar products of many vectors.
#pragma once

#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

template <int Axis>
struct vecdot_statement {
  static constexpr std::string_view name = "vecdot";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    const value product = a * b;
    const int axis = detail::axis_of(name, product, Axis);
    return axis < 0 ? product : sum_operation::build(product, 1u << axis, false);
  }
};

/// The scalar products along the axis; shapes broadcast.
/// @formula y[..] = sum_i a[.., i, ..] b[.., i, ..]
/// @shapes numbers [.., n, ..] [.., n, ..] -> [..]
/// @errors shapes_do_not_fit element_types_do_not_mix plain_number shapes_of_vectors
/// @torch torch.linalg.vecdot
/// @jax jnp.vecdot
/// @given a = [[1, 2], [3, 4]]; b = [[1, 1], [0, 2]]
/// @gives tl::vecdot(a, b) = [3, 8]
template <int Axis = -1, class A, class B>
  requires value_operands<A, B>
constexpr value vecdot(A a, B b) {
  return make<vecdot_statement<Axis>>(a, b);
}
template <int Axis = -1, class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto vecdot(A a, B b) {
  return make<vecdot_statement<Axis>>(a, b);
}

}  // namespace tapeless
