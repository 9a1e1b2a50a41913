// SPDX-License-Identifier: BSL-1.0
// where(condition, a, b): one of two values. The branch not taken gets the gradient 0, also where it is not
// finite.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>

namespace tapeless {

struct where_operation : pointwise_operation<where_operation, 3> {
  static constexpr std::string_view name = "where";
  static constexpr element_kind takes = element_kind::any;
  static constexpr int first_typed = 1;
  static constexpr auto apply(auto condition, auto a, auto b) { return choose(condition, a, b); }
  static constexpr value cotangent(int k, auto g, auto condition, auto, auto, auto) {
    if (k == 0) return {};
    return k == 1 ? where(condition, g, 0.0) : where(condition, 0.0, g);
  }
};

/// a where the condition holds, b elsewhere, element by element; shapes broadcast.
/// @formula y = a where the condition holds, else b
/// @shapes booleans and two of one type, whose shapes broadcast -> the common shape and type
/// @errors where_condition shapes_do_not_fit element_types_do_not_mix
/// @torch torch.where
/// @jax jnp.where
/// @given x = [-2, 0.5, 3]
/// @gives tl::where(x > 0_c, x, 0.1_c * x) = [-0.2, 0.5, 3]
template <class C, class A, class B>
  requires value_operands<C, A, B>
constexpr value where(C condition, A a, B b) {
  return make<where_operation>(condition, a, b);
}
template <class C, class A, class B>
  requires expression_operands<C, A, B>
TAPELESS_FACTORY auto where(C condition, A a, B b) {
  return make<where_operation>(condition, a, b);
}

}  // namespace tapeless
