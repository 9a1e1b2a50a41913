// SPDX-License-Identifier: BSL-1.0
// sum<axes...>(x): the sum over the axes, over all without any.
#pragma once

#include <type_traits>

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/reduction/reduction_operation.hpp>
#include <tapeless/ops/shape/expand.hpp>

namespace tapeless {

struct sum_operation : reduction_operation<sum_operation> {
  static constexpr std::string_view name = "sum";
  template <class T>
  static constexpr T identity = 0;
  static constexpr auto combine(auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return detail::wrapped_sum(a, b);
    else
      return a + b;
  }
  static constexpr value cotangent(value g, value x, value) { return expand(g, shape_of(x)); }
  static constexpr operation op{name, reduction_kind::sum, jacobian::linear, &cotangent_of};
};

/// The sum over Axes (all where none is named), which are dropped, or kept with extent 1; 0 where
/// there is no element. In x's element type: cast<T>(x) before it where whole numbers could wrap.
/// @formula y = x_0 + x_1 + ...
/// @shapes numbers [..] -> without the axes
/// @errors reduction_axis element_kinds
/// @torch torch.sum
/// @jax jnp.sum
/// @given x = [[1, 2, 3], [4, 5, 9]]
/// @gives tl::sum(x) = 24
/// @gives tl::sum<0>(x) = [5, 7, 12]
/// @gives tl::sum<1>(x, tl::keep_dims) = [[6], [18]]
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto sum(X x) {
  return make<reduction_statement<sum_operation, false, Axes...>>(x);
}
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto sum(X x, keep_dims_t) {
  return make<reduction_statement<sum_operation, true, Axes...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous sum(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
