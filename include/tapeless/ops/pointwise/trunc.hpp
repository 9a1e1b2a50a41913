// SPDX-License-Identifier: BSL-1.0
// trunc(x): the whole part; its derivative is 0.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct trunc_operation : pointwise_operation<trunc_operation, 1> {
  static constexpr std::string_view name = "trunc";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::trunc;
    return trunc(x);
  }
  static constexpr value cotangent(auto, auto, auto) { return value{}; }
};

/// x without its fraction, rounded towards 0, element by element.
/// @formula y = x towards 0; dy/dx = 0
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.trunc
/// @jax jnp.trunc
/// @given x = [-1.5, 0.2, 2.9]
/// @gives tl::trunc(x) = [-1, 0, 2]
constexpr value trunc(is_value auto x) { return make<trunc_operation>(x); }
TAPELESS_FACTORY auto trunc(expression_operand auto x) { return make<trunc_operation>(x); }

}  // namespace tapeless
