// SPDX-License-Identifier: BSL-1.0
// square(x): the square.
#pragma once

#include <type_traits>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct square_operation : pointwise_operation<square_operation, 1> {
  static constexpr std::string_view name = "square";
  static constexpr auto apply(auto x) {
    if constexpr (std::is_integral_v<decltype(x)>)
      return detail::wrapped_product(x, x);
    else
      return x * x;
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * (2.0 * x); }
};

/// x^2, element by element. Integers wrap where they do not fit.
/// @formula y = x^2; dy/dx = 2 x
/// @shapes numbers [..] -> [..]
/// @errors element_kinds
/// @torch torch.square
/// @jax jnp.square
/// @given x = [-2, 0, 3]
/// @gives tl::square(x) = [4, 0, 9]
constexpr value square(is_value auto x) { return make<square_operation>(x); }
TAPELESS_FACTORY auto square(expression_operand auto x) { return make<square_operation>(x); }

}  // namespace tapeless
