// SPDX-License-Identifier: BSL-1.0
// atanh(x): the inverse of tanh.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/log1p.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct atanh_operation : composed_operation<atanh_operation, 1> {
  static constexpr std::string_view name = "atanh";
  static constexpr value forward(value x) {
    const value size = abs(x), y = 0.5 * log1p(2.0 * size / (1.0 - size));
    return where(x > 0.0, y, where(x < 0.0, -y, x));  // keeps -0
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g / ((1.0 - x) * (1.0 + x)); }
};

/// The y with tanh(y) = x, element by element: infinity at 1, -infinity at -1, NaN beyond.
/// @formula y = log((1 + x) / (1 - x)) / 2, exact for small x; dy/dx = 1 / (1 - x^2)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.atanh
/// @jax jnp.arctanh
/// @given x = [-0.5, 0, 0.9]
/// @gives tl::atanh(x) = [-0.5493, 0, 1.472]
constexpr value atanh(is_value auto x) { return make<atanh_operation>(x); }
TAPELESS_FACTORY auto atanh(expression_operand auto x) { return make<atanh_operation>(x); }

}  // namespace tapeless
