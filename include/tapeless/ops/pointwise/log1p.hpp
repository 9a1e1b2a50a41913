// SPDX-License-Identifier: BSL-1.0
// log1p(x): log(1 + x), exact also near 0.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct log1p_operation : pointwise_operation<log1p_operation, 1> {
  static constexpr std::string_view name = "log1p";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::log1p;
    return log1p(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g / (1.0 + x); }
};

/// log(1 + x), element by element.
/// @formula y = log(1 + x), exact for small x; dy/dx = 1 / (1 + x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.log1p
/// @jax jnp.log1p
/// @given x = [-0.5, 0, 0.0001]
/// @gives tl::log1p(x) = [-0.6931, 0, 9.999e-05]
constexpr value log1p(is_value auto x) { return make<log1p_operation>(x); }
TAPELESS_FACTORY auto log1p(expression_operand auto x) { return make<log1p_operation>(x); }

}  // namespace tapeless
