// SPDX-License-Identifier: BSL-1.0
// softplus(x): a smooth rectifier (Dugas et al., 2001).
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/sigmoid.hpp>

namespace tapeless {

/// Composed of max and abs it would have their second derivatives at 0; its own is sigmoid's first.
struct softplus_operation : pointwise_operation<softplus_operation, 1> {
  static constexpr std::string_view name = "softplus";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::abs, std::exp, std::log1p;
    return positive_part(x) + log1p(exp(-abs(x)));
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * sigmoid(x); }
};

/// log(1 + e^x), element by element, exact for every x: max(x, 0) + log(1 + e^-|x|).
/// @formula y = log(1 + e^x); dy/dx = sigmoid(x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.softplus
/// @jax jax.nn.softplus
/// @given x = [-1, 0, 2]
/// @gives tl::softplus(x) = [0.3133, 0.6931, 2.127]
constexpr value softplus(is_value auto x) { return make<softplus_operation>(x); }
TAPELESS_FACTORY auto softplus(expression_operand auto x) { return make<softplus_operation>(x); }

}  // namespace tapeless
