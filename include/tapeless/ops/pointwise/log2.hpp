// SPDX-License-Identifier: BSL-1.0
// log2(x): the logarithm to the base 2.
#pragma once

#include <numbers>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct log2_operation : pointwise_operation<log2_operation, 1> {
  static constexpr std::string_view name = "log2";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::log2;
    return log2(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g / (std::numbers::ln2 * x); }
};

/// log2(x); -infinity at 0, NaN below, element by element.
/// @formula y = log(x) / log(2); dy/dx = 1 / (x log(2))
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.log2
/// @jax jnp.log2
/// @given x = [0.5, 1, 8]
/// @gives tl::log2(x) = [-1, 0, 3]
constexpr value log2(is_value auto x) { return make<log2_operation>(x); }
TAPELESS_FACTORY auto log2(expression_operand auto x) { return make<log2_operation>(x); }

}  // namespace tapeless
