// SPDX-License-Identifier: BSL-1.0
// log_sigmoid(x): the logarithm of the sigmoid.
#pragma once

#include <tapeless/ops/activation/softplus_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct log_sigmoid_operation {
  static constexpr std::string_view name = "log_sigmoid";
  static constexpr int arity = 1;
  static constexpr value build(value x) { return -softplus(-x); }
};

/// log(sigmoid(x)) = -log(1 + e^-x), element by element, exact for every x.
/// @formula y = -log(1 + e^-x); dy/dx = sigmoid(-x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.logsigmoid
/// @jax jax.nn.log_sigmoid
/// @given x = [-2, 0, 3]
/// @gives tl::log_sigmoid(x) = [-2.127, -0.6931, -0.04859]
constexpr value log_sigmoid(is_value auto x) { return make<log_sigmoid_operation>(x); }
TAPELESS_FACTORY auto log_sigmoid(expression_operand auto x) { return make<log_sigmoid_operation>(x); }

}  // namespace tapeless
