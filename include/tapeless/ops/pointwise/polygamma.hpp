// SPDX-License-Identifier: BSL-1.0
// polygamma<n>(x): derivative number n of digamma.
#pragma once

#include <tapeless/ops/pointwise/digamma.hpp>
#include <tapeless/ops/pointwise/polygamma_operation.hpp>

namespace tapeless {

template <int Order>
struct polygamma_statement {
  static constexpr std::string_view name = "polygamma";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    return detail::unless_fits(Order >= 0 && Order <= 20, name, "an order from 0 to 20", Order);
  }
  static constexpr value build(value x) {
    if constexpr (Order == 0) return digamma_operation::build(x);
    return polygamma(Order, x);
  }
};

/// Derivative number Order of digamma, element by element; polygamma<0> is digamma itself. Infinite at 0 and
/// at negative whole numbers.
/// @formula y = d^(n+1) log Gamma(x) / dx^(n+1); dy/dx = polygamma<n + 1>(x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds orders_and_types
/// @torch torch.polygamma
/// @jax jax.scipy.special.polygamma
/// @given x = [-0.5, 0.5, 10]
/// @gives tl::polygamma<1>(x) = [8.935, 4.935, 0.1052]
template <int Order>
constexpr value polygamma(is_value auto x) {
  return make<polygamma_statement<Order>>(x);
}
template <int Order>
TAPELESS_FACTORY auto polygamma(expression_operand auto x) {
  return make<polygamma_statement<Order>>(x);
}

}  // namespace tapeless
