// SPDX-License-Identifier: BSL-1.0
// acosh(x): the inverse of cosh, from 1 on.
#pragma once

#include <numbers>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/log1p.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct acosh_operation : composed_operation<acosh_operation, 1> {
  static constexpr std::string_view name = "acosh";
  static constexpr value forward(value x) {
    const value far = x > 0x1p28, above = where(x < 1.0, -1.0, where(far, 0.0, x - 1.0));  // of -1: NaN
    return where(far, log(x) + std::numbers::ln2, log1p(above + sqrt(above * (above + 2.0))));
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g / (sqrt(x - 1.0) * sqrt(x + 1.0)); }
};

/// The y >= 0 with cosh(y) = x, element by element: NaN below 1, where the derivative is infinite.
/// @formula y = log(x + sqrt(x^2 - 1)), exact for x near 1; dy/dx = 1 / sqrt(x^2 - 1)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.acosh
/// @jax jnp.arccosh
/// @given x = [1, 1.5, 10]
/// @gives tl::acosh(x) = [0, 0.9624, 2.993]
constexpr value acosh(is_value auto x) { return make<acosh_operation>(x); }
TAPELESS_FACTORY auto acosh(expression_operand auto x) { return make<acosh_operation>(x); }

}  // namespace tapeless
