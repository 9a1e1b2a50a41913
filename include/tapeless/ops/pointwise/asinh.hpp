// SPDX-License-Identifier: BSL-1.0
// asinh(x): the inverse of sinh.
#pragma once

#include <numbers>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/hypot.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/log1p.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct asinh_operation : composed_operation<asinh_operation, 1> {
  static constexpr std::string_view name = "asinh";
  static constexpr value forward(value x) {
    const value size = abs(x), far = size > 0x1p28, near = where(far, 0.0, size);
    const value above = log1p(near + near * near / (1.0 + sqrt(near * near + 1.0)));
    const value y = where(far, log(size) + std::numbers::ln2, above);
    return where(x > 0.0, y, where(x < 0.0, -y, x));  // keeps -0
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g / hypot(x, 1.0); }
};

/// The y with sinh(y) = x, element by element.
/// @formula y = log(x + sqrt(x^2 + 1)), exact for small x; dy/dx = 1 / sqrt(x^2 + 1)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.asinh
/// @jax jnp.arcsinh
/// @given x = [-1, 0, 2]
/// @gives tl::asinh(x) = [-0.8814, 0, 1.444]
constexpr value asinh(is_value auto x) { return make<asinh_operation>(x); }
TAPELESS_FACTORY auto asinh(expression_operand auto x) { return make<asinh_operation>(x); }

}  // namespace tapeless
