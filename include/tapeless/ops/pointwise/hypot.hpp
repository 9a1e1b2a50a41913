// SPDX-License-Identifier: BSL-1.0
// hypot(a, b): the length of a vector of two.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/min.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct hypot_operation : composed_operation<hypot_operation, 2> {
  static constexpr std::string_view name = "hypot";
  static constexpr value forward(value a, value b) {
    const value x = abs(a), y = abs(b), longer = max(x, y), shorter = min(x, y);
    const double largest = detail::largest_finite(a.type());
    const value ratio = shorter / where(longer > 0.0, longer, 1.0);
    const value length = longer * sqrt(1.0 + ratio * ratio);
    return where(x > largest, x, where(y > largest, y, length));
  }
  static constexpr value cotangent(int k, auto g, auto a, auto b, auto y) {
    const value side = k == 0 ? a : b, length = where(y == 0.0, 1.0, y);
    return g * (side / length);
  }
};

/// sqrt(a^2 + b^2), element by element, without a square that could overflow; infinity where one of them is
/// infinite. The derivative at (0, 0) is 0. Shapes broadcast.
/// @formula y = sqrt(a^2 + b^2); dy/da = a / y, dy/db = b / y
/// @shapes two of one floating type, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.hypot
/// @jax jnp.hypot
/// @given a = [3, 0, 1]; b = [4, 0, -1]
/// @gives tl::hypot(a, b) = [5, 0, 1.414]
template <class A, class B>
  requires value_operands<A, B>
constexpr value hypot(A a, B b) {
  return make<hypot_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto hypot(A a, B b) {
  return make<hypot_operation>(a, b);
}

}  // namespace tapeless
