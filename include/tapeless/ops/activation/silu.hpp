// SPDX-License-Identifier: BSL-1.0
// silu(x): the sigmoid linear unit (Elfwing et al., 2018), also known as swish.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/less.hpp>
#include <tapeless/ops/pointwise/sigmoid.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct silu_operation : pointwise_operation<silu_operation, 1> {
  static constexpr std::string_view name = "silu";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) { return gated(limited_below(x, number_like(x, -exponential_end)), x); }
  /// Where the sigmoid is 0 or 1, it is the derivative; infinity is not multiplied by 0.
  static constexpr value cotangent(auto g, auto x, auto) {
    const value near = where(abs(x) < exponential_end, x, 0.0), s = sigmoid(x);
    return g * (s * (1.0 + near * (1.0 - s)));
  }
};

/// x sigmoid(x), element by element.
/// @formula y = x / (1 + e^-x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.silu
/// @jax jax.nn.silu
/// @given x = [-1, 0, 2]
/// @gives tl::silu(x) = [-0.2689, 0, 1.762]
constexpr value silu(is_value auto x) { return make<silu_operation>(x); }
TAPELESS_FACTORY auto silu(expression_operand auto x) { return make<silu_operation>(x); }

}  // namespace tapeless
