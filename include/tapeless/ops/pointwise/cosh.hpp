// SPDX-License-Identifier: BSL-1.0
// cosh(x): the hyperbolic cosine.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/sinh.hpp>

namespace tapeless {

struct cosh_operation : pointwise_operation<cosh_operation, 1> {
  static constexpr std::string_view name = "cosh";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::cosh;
    return cosh(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * sinh(x); }
};

/// (e^x + e^-x) / 2, element by element.
/// @formula y = (e^x + e^-x) / 2; dy/dx = sinh(x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.cosh
/// @jax jnp.cosh
/// @given x = [-1, 0, 2]
/// @gives tl::cosh(x) = [1.543, 1, 3.762]
constexpr value cosh(is_value auto x) { return make<cosh_operation>(x); }
TAPELESS_FACTORY auto cosh(expression_operand auto x) { return make<cosh_operation>(x); }

}  // namespace tapeless
