// SPDX-License-Identifier: BSL-1.0
// a == b: whether a and b are equal. No derivative flows.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct equal_operation : pointwise_operation<equal_operation, 2> {
  static constexpr std::string_view name = "==";
  static constexpr element_kind takes = element_kind::any;
  static constexpr element result = element::boolean;
  static constexpr auto apply(auto a, auto b) { return a == b; }
  static constexpr value cotangent(int, auto, auto, auto, auto) { return {}; }
};

/// a == b, as booleans, element by element; shapes broadcast.
/// @formula y = (a == b)
/// @shapes two of one type, whose shapes broadcast -> booleans of the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix plain_number
/// @torch torch.eq, a == b
/// @jax jnp.equal, a == b
/// @given a = [1, 2, 3]; b = [3, 2, 1]
/// @gives a == b = [false, true, false]
template <class A, class B>
  requires value_operands<A, B>
constexpr value operator==(A a, B b) {
  return make<equal_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto operator==(A a, B b) {
  return make<equal_operation>(a, b);
}

}  // namespace tapeless
