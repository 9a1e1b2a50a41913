// SPDX-License-Identifier: BSL-1.0
// log(x): the natural logarithm.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct log_operation : pointwise_operation<log_operation, 1> {
  static constexpr std::string_view name = "log";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::log;
    return log(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g / x; }
};

/// log(x); -infinity at 0, NaN below, element by element.
/// @formula y = log(x); dy/dx = 1 / x
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.log
/// @jax jnp.log
/// @given x = [0, 1, 2.718282]
/// @gives tl::log(x) = [-inf, 0, 1]
constexpr value log(is_value auto x) { return make<log_operation>(x); }
TAPELESS_FACTORY auto log(expression_operand auto x) { return make<log_operation>(x); }

}  // namespace tapeless
