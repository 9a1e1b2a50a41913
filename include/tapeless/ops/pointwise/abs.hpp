// SPDX-License-Identifier: BSL-1.0
// abs(x): the absolute value; its derivative at 0 is 0.
#pragma once

#include <type_traits>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/sign.hpp>

namespace tapeless {

struct abs_operation : pointwise_operation<abs_operation, 1> {
  static constexpr std::string_view name = "abs";
  static constexpr auto apply(auto x) {
    if constexpr (std::is_integral_v<decltype(x)>) {
      return x < decltype(x)(0) ? detail::wrapped_difference(decltype(x)(0), x) : x;
    } else {
      using std::abs;
      return abs(x);
    }
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * sign(x); }
};

/// |x|, element by element. The least integer stays itself, as in NumPy.
/// @formula y = |x|; dy/dx = sign(x), 0 at 0
/// @shapes numbers [..] -> [..]
/// @errors element_kinds
/// @torch torch.abs
/// @jax jnp.abs
/// @given x = [-2, 0, 3]
/// @gives tl::abs(x) = [2, 0, 3]
constexpr value abs(is_value auto x) { return make<abs_operation>(x); }
TAPELESS_FACTORY auto abs(expression_operand auto x) { return make<abs_operation>(x); }

}  // namespace tapeless
