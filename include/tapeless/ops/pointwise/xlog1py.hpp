// SPDX-License-Identifier: BSL-1.0
// xlog1py(x, y): x log(1 + y), and 0 where x is 0.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/log1p.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct xlog1py_operation : composed_operation<xlog1py_operation, 2> {
  static constexpr std::string_view name = "xlog1py";
  static constexpr value forward(value x, value y) {
    const value infinite = y > detail::largest_finite(y.type());
    return x * log1p(where(x == 0.0 && (y <= -1.0 || infinite), 0.0, y));
  }
};

/// x log(1 + y), element by element; 0 where x is 0, unless y is NaN. There the derivatives are 0 where y has
/// no finite logarithm. Shapes broadcast.
/// @formula y = x log(1 + y), 0 for x = 0
/// @shapes two of one floating type, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.special.xlog1py
/// @jax jax.scipy.special.xlog1py
/// @given x = [0, 2, 1]; y = [0, 2, 0.5]
/// @gives tl::xlog1py(x, y) = [0, 2.197, 0.4055]
template <class X, class Y>
  requires value_operands<X, Y>
constexpr value xlog1py(X x, Y y) {
  return make<xlog1py_operation>(x, y);
}
template <class X, class Y>
  requires expression_operands<X, Y>
TAPELESS_FACTORY auto xlog1py(X x, Y y) {
  return make<xlog1py_operation>(x, y);
}

}  // namespace tapeless
