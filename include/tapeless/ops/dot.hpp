// SPDX-License-Identifier: BSL-1.0
// dot(a, b): the scalar product of two vectors.
#pragma once

#include <tapeless/ops/primitives.hpp>

namespace tapeless {

struct dot_cell {
  static constexpr std::string_view name = "dot";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    if (a.rank() != 1 || !(shape_of(a) == shape_of(b))) {
      text t;
      t << "dot got operands of the shapes ";
      a.owner->describe_shape(t, a.get());
      t << " and ";
      b.owner->describe_shape(t, b.get());
      return a.fail(t << ": it takes two vectors of one extent");
    }
    return sum_rule::build(a * b, 1u, false);
  }
};

/// [n] [n] -> [], the sum of a_i b_i.
template <class A, class B>
  requires value_operands<A, B>
constexpr value dot(A a, B b) {
  return make<dot_cell>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto dot(A a, B b) {
  return make<dot_cell>(a, b);
}

}  // namespace tapeless
