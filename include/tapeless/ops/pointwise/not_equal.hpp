// SPDX-License-Identifier: BSL-1.0
// a != b: whether a and b differ. No derivative flows.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/as_condition.hpp>

namespace tapeless {

struct not_equal_operation : pointwise_operation<not_equal_operation, 2> {
  static constexpr std::string_view name = "!=";
  static constexpr element_kind takes = element_kind::any;
  static constexpr element result = element::boolean;
  static constexpr auto apply(auto a, auto b) { return a != b; }
  static constexpr value cotangent(int, auto, auto, auto, auto) { return {}; }
};

/// a != b, as booleans, element by element; shapes broadcast.
/// @formula y = (a != b)
/// @shapes two of one type, whose shapes broadcast -> booleans of the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix plain_number
/// @torch torch.ne, a != b
/// @jax jnp.not_equal, a != b
/// @given a = [1, 2, 3]; b = [3, 2, 1]
/// @gives a != b = [true, false, true]
template <class A, class B>
  requires value_operands<A, B>
constexpr value operator!=(A a, B b) {
  return make<not_equal_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto operator!=(A a, B b) {
  return make<not_equal_operation>(a, b);
}

namespace detail {

constexpr value as_condition(value x) { return x.type() == element::boolean ? x : x != 0.0; }

}  // namespace detail

}  // namespace tapeless
