// SPDX-License-Identifier: BSL-1.0
// dot(a, b): the scalar product of two vectors.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

struct dot_statement {
  static constexpr std::string_view name = "dot";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    if (a.rank() != 1 || !(shape_of(a) == shape_of(b))) {
      text t;
      t << "dot got operands of the shapes ";
      a.builder->describe_shape(t, a.get());
      t << " and ";
      b.builder->describe_shape(t, b.get());
      return a.fail(t << ": it takes two vectors of one extent");
    }
    return sum_operation::build(a * b, 1u, false);
  }
};

/// [n] [n] -> [], the sum of a_i b_i.
/// @formula y = sum_i a_i b_i
/// @shapes floating [n] [n] -> []
/// @errors products
/// @torch torch.dot
/// @jax jnp.dot
/// @given a = [1, 2, 3]; b = [4, 5, 6]
/// @gives tl::dot(a, b) = 32
template <class A, class B>
  requires value_operands<A, B>
constexpr value dot(A a, B b) {
  return make<dot_statement>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto dot(A a, B b) {
  return make<dot_statement>(a, b);
}

}  // namespace tapeless
