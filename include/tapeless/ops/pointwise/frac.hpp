// SPDX-License-Identifier: BSL-1.0
// frac(x): the fraction, with the sign of x.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/trunc.hpp>

namespace tapeless {

struct frac_operation : composed_operation<frac_operation, 1> {
  static constexpr std::string_view name = "frac";
  static constexpr value forward(value x) { return x - trunc(x); }
};

/// x - trunc(x), element by element.
/// @formula y = x - trunc(x); dy/dx = 1
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.frac
/// @jax x - jnp.trunc(x)
/// @given x = [-1.5, 0.25, 2]
/// @gives tl::frac(x) = [-0.5, 0.25, 0]
constexpr value frac(is_value auto x) { return make<frac_operation>(x); }
TAPELESS_FACTORY auto frac(expression_operand auto x) { return make<frac_operation>(x); }

}  // namespace tapeless
