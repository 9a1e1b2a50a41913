// SPDX-License-Identifier: BSL-1.0
// logit(x, eps): the inverse of sigmoid.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/clamp.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/log1p.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct logit_operation : composed_operation<logit_operation, 1> {
  static constexpr std::string_view name = "logit";
  static constexpr value forward(value x) {
    // near 1/2 the odds are near 1, and 2x - 1 is exact
    return where(x < 0.25, log(x / (1.0 - x)), log1p((2.0 * x - 1.0) / (1.0 - x)));
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g / (x * (1.0 - x)); }
};

struct logit_within_operation : composed_operation<logit_within_operation, 2> {
  static constexpr std::string_view name = "logit";
  static constexpr value forward(value x, value eps) {
    return logit_operation::build(clamp(x, eps, 1.0 - eps));
  }
};

/// log(x / (1 - x)), element by element: -infinity at 0, infinity at 1, NaN beyond; with eps, of x moved to
/// [eps, 1 - eps], outside of which the derivative is 0.
/// @formula y = log(x / (1 - x)); dy/dx = 1 / (x (1 - x))
/// @shapes floating [..] -> [..]
/// @errors element_kinds numbers_as_template_arguments
/// @torch torch.logit
/// @jax jax.scipy.special.logit
/// @given x = [0.1, 0.5, 1]
/// @gives tl::logit(x) = [-2.197, 0, inf]
/// @gives tl::logit(x, 0.2_c) = [-1.386, 0, 1.386]
constexpr value logit(is_value auto x) { return make<logit_operation>(x); }
TAPELESS_FACTORY auto logit(expression_operand auto x) { return make<logit_operation>(x); }
template <class X, class Eps>
  requires value_operands<X, Eps>
constexpr value logit(X x, Eps eps) {
  return make<logit_within_operation>(x, eps);
}
template <class X, class Eps>
  requires expression_operands<X, Eps>
TAPELESS_FACTORY auto logit(X x, Eps eps) {
  return make<logit_within_operation>(x, eps);
}

// Its number as a template argument, which is refused.
template <plain_number auto Eps, class... X>
constexpr auto logit(const X&... x) {
  return detail::refuse_call<sentence{"logit"}, detail::numbers_are_arguments, sentence{"(x, 1e-6_c)"}>(x...);
}

}  // namespace tapeless
