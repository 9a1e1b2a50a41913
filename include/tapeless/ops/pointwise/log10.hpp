// SPDX-License-Identifier: BSL-1.0
// log10(x): the decimal logarithm.
#pragma once

#include <numbers>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/log.hpp>

namespace tapeless {

struct log10_operation : composed_operation<log10_operation, 1> {
  static constexpr std::string_view name = "log10";
  static constexpr value forward(value x) { return log(x) * std::numbers::log10e; }
};

/// The logarithm to base 10, element by element: within 2 units in the last place, so that log10(1000) may be
/// the number beside 3.
/// @formula y = log(x) / log(10); dy/dx = 1 / (x log(10))
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.log10
/// @jax jnp.log10
/// @given x = [0.1, 1, 50]
/// @gives tl::log10(x) = [-1, 0, 1.699]
constexpr value log10(is_value auto x) { return make<log10_operation>(x); }
TAPELESS_FACTORY auto log10(expression_operand auto x) { return make<log10_operation>(x); }

}  // namespace tapeless
