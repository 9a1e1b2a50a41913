// SPDX-License-Identifier: BSL-1.0
// erfc(x): the complement of the error function.
#pragma once

#include <numbers>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/erf.hpp>
#include <tapeless/ops/pointwise/erfcx.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct erfc_operation : composed_operation<erfc_operation, 1> {
  static constexpr std::string_view name = "erfc";
  static constexpr value forward(value x) {
    const value near = x < 0.5, above = where(near, 0.5, x);
    const value tail = detail::exponential_of_square(above, -1) * detail::scaled_complement(above);
    return where(near, 1.0 - erf(x), tail);
  }
  static constexpr value cotangent(auto g, auto x, auto) {
    return g * (-2.0 * std::numbers::inv_sqrtpi * exp(-(x * x)));
  }
};

/// 1 - erf(x), element by element, exact for large x.
/// @formula y = 2/sqrt(pi) times the integral of e^(-t^2) from x to infinity; dy/dx = -2/sqrt(pi) e^(-x^2)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.erfc
/// @jax jax.scipy.special.erfc
/// @given x = [-1, 0, 4]
/// @gives tl::erfc(x) = [1.843, 1, 1.542e-08]
constexpr value erfc(is_value auto x) { return make<erfc_operation>(x); }
TAPELESS_FACTORY auto erfc(expression_operand auto x) { return make<erfc_operation>(x); }

}  // namespace tapeless
