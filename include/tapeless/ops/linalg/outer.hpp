// SPDX-License-Identifier: BSL-1.0
// outer(a, b): all products of an element of one vector with one of another.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

struct outer_statement {
  static constexpr std::string_view name = "outer";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    if (a.rank() == 1 && b.rank() == 1) return reshape(a, {2, {a.get().shape[0], 1}}) * b;
    text t;
    t << "outer got operands of the shapes ";
    a.builder->describe_shape(t, a.get());
    t << " and ";
    b.builder->describe_shape(t, b.get());
    return a.fail(t << ": it takes two vectors");
  }
};

/// [m] [n] -> [m, n], with the elements a_i b_j.
/// @formula y_ij = a_i b_j
/// @shapes floating [m] [n] -> [m, n]
/// @errors products
/// @torch torch.outer
/// @jax jnp.outer
/// @given a = [1, 2]; b = [3, 4, 5]
/// @gives tl::outer(a, b) = [[3, 4, 5], [6, 8, 10]]
template <class A, class B>
  requires value_operands<A, B>
constexpr value outer(A a, B b) {
  return make<outer_statement>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto outer(A a, B b) {
  return make<outer_statement>(a, b);
}

}  // namespace tapeless
