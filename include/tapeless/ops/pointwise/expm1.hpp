// SPDX-License-Identifier: BSL-1.0
// expm1(x): e^x - 1, exact also near 0.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp.hpp>

namespace tapeless {

struct expm1_operation : pointwise_operation<expm1_operation, 1> {
  static constexpr std::string_view name = "expm1";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::expm1;
    return expm1(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * exp(x); }
};

/// e^x - 1, element by element.
/// @formula y = e^x - 1, exact for small x; dy/dx = e^x
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.expm1
/// @jax jnp.expm1
/// @given x = [-1, 0, 0.0001]
/// @gives tl::expm1(x) = [-0.6321, 0, 0.0001]
constexpr value expm1(is_value auto x) { return make<expm1_operation>(x); }
TAPELESS_FACTORY auto expm1(expression_operand auto x) { return make<expm1_operation>(x); }

}  // namespace tapeless
