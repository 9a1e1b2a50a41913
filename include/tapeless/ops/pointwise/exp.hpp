// SPDX-License-Identifier: BSL-1.0
// exp(x): the exponential.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct exp_operation : pointwise_operation<exp_operation, 1> {
  static constexpr std::string_view name = "exp";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::exp;
    return exp(x);
  }
  static constexpr value cotangent(auto g, auto, auto y) { return g * y; }
};

/// e^x, element by element.
/// @formula y = e^x; dy/dx = y
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.exp
/// @jax jnp.exp
/// @given x = [-1, 0, 2]
/// @gives tl::exp(x) = [0.3679, 1, 7.389]
constexpr value exp(is_value auto x) { return make<exp_operation>(x); }
TAPELESS_FACTORY auto exp(expression_operand auto x) { return make<exp_operation>(x); }

}  // namespace tapeless
