// SPDX-License-Identifier: BSL-1.0
// xlogy(x, y): x log(y), and 0 where x is 0.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct xlogy_operation : composed_operation<xlogy_operation, 2> {
  static constexpr std::string_view name = "xlogy";
  static constexpr value forward(value x, value y) {
    const value infinite = y > detail::largest_finite(y.type());
    return x * log(where(x == 0.0 && (y <= 0.0 || infinite), 1.0, y));
  }
};

/// x log(y), element by element; 0 where x is 0, unless y is NaN. There the derivatives are 0 where y has no
/// finite logarithm. Shapes broadcast.
/// @formula y = x log(y), 0 for x = 0
/// @shapes two of one floating type, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.special.xlogy
/// @jax jax.scipy.special.xlogy
/// @given x = [0, 2, 1]; y = [0, 2, 0.5]
/// @gives tl::xlogy(x, y) = [0, 1.386, -0.6931]
template <class X, class Y>
  requires value_operands<X, Y>
constexpr value xlogy(X x, Y y) {
  return make<xlogy_operation>(x, y);
}
template <class X, class Y>
  requires expression_operands<X, Y>
TAPELESS_FACTORY auto xlogy(X x, Y y) {
  return make<xlogy_operation>(x, y);
}

}  // namespace tapeless
