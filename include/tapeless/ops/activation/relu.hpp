// SPDX-License-Identifier: BSL-1.0
// relu(x): the rectifier (Nair and Hinton, 2010); its derivative at 0 is 0.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/greater.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct relu_operation : pointwise_operation<relu_operation, 1> {
  static constexpr std::string_view name = "relu";
  static constexpr auto apply(auto x) { return positive_part(x); }
  static constexpr value cotangent(auto g, auto, auto y) { return where(y > 0.0, g, 0.0); }
};

/// max(x, 0), element by element.
/// @formula y = max(x, 0); dy/dx = 1 for x > 0, 0 otherwise
/// @shapes numbers [..] -> [..]
/// @errors element_kinds
/// @torch torch.relu
/// @jax jax.nn.relu
/// @given x = [-2, 0, 3]
/// @gives tl::relu(x) = [0, 0, 3]
constexpr value relu(is_value auto x) { return make<relu_operation>(x); }
TAPELESS_FACTORY auto relu(expression_operand auto x) { return make<relu_operation>(x); }

}  // namespace tapeless
