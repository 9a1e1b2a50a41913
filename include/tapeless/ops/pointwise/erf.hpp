// SPDX-License-Identifier: BSL-1.0
// erf(x): the error function.
#pragma once

#include <numbers>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp.hpp>

namespace tapeless {

struct erf_operation : pointwise_operation<erf_operation, 1> {
  static constexpr std::string_view name = "erf";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::erf;
    return erf(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) {
    return g * (2.0 * std::numbers::inv_sqrtpi * exp(-(x * x)));
  }
};

/// 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x, element by element.
/// @formula y = 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x; dy/dx = 2/sqrt(pi) e^(-x^2)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.erf
/// @jax jax.scipy.special.erf
/// @given x = [-1, 0, 0.5]
/// @gives tl::erf(x) = [-0.8427, 0, 0.5205]
constexpr value erf(is_value auto x) { return make<erf_operation>(x); }
TAPELESS_FACTORY auto erf(expression_operand auto x) { return make<erf_operation>(x); }

}  // namespace tapeless
