// SPDX-License-Identifier: BSL-1.0
// sigmoid(x): the logistic function.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct sigmoid_operation : pointwise_operation<sigmoid_operation, 1> {
  static constexpr std::string_view name = "sigmoid";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::exp;
    const auto power = exp(limited_above(x, number_like(x, 40)));
    return power / (number_like(x, 1) + power);
  }
  static constexpr value cotangent(auto g, auto, auto y) { return g * (y * (1.0 - y)); }
};

/// 1 / (1 + e^-x), element by element.
/// @formula y = 1 / (1 + e^-x); dy/dx = y (1 - y)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.sigmoid
/// @jax jax.nn.sigmoid
/// @given x = [-1, 0, 2]
/// @gives tl::sigmoid(x) = [0.2689, 0.5, 0.8808]
constexpr value sigmoid(is_value auto x) { return make<sigmoid_operation>(x); }
TAPELESS_FACTORY auto sigmoid(expression_operand auto x) { return make<sigmoid_operation>(x); }

}  // namespace tapeless
