// SPDX-License-Identifier: BSL-1.0
// tanh(x): the hyperbolic tangent.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct tanh_operation : pointwise_operation<tanh_operation, 1> {
  static constexpr std::string_view name = "tanh";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::tanh;
    return tanh(x);
  }
  static constexpr value cotangent(auto g, auto, auto y) { return g * (1.0 - y * y); }
};

/// tanh(x), element by element.
/// @formula y = (e^x - e^-x) / (e^x + e^-x); dy/dx = 1 - y^2
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.tanh
/// @jax jnp.tanh
/// @given x = [-1, 0, 2]
/// @gives tl::tanh(x) = [-0.7616, 0, 0.964]
constexpr value tanh(is_value auto x) { return make<tanh_operation>(x); }
TAPELESS_FACTORY auto tanh(expression_operand auto x) { return make<tanh_operation>(x); }

}  // namespace tapeless
