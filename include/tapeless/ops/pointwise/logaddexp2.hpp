// SPDX-License-Identifier: BSL-1.0
// logaddexp2(a, b): the binary logarithm of a sum of powers of 2.
#pragma once

#include <numbers>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp2.hpp>
#include <tapeless/ops/pointwise/log1p.hpp>
#include <tapeless/ops/pointwise/logaddexp.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/sigmoid.hpp>

namespace tapeless {

struct logaddexp2_operation : composed_operation<logaddexp2_operation, 2> {
  static constexpr std::string_view name = "logaddexp2";
  static constexpr value forward(value a, value b) {
    return max(a, b) + std::numbers::log2e * log1p(exp2(-abs(detail::logarithms_apart(a, b))));
  }
  static constexpr value cotangent(int k, auto g, auto a, auto b, auto) {
    const value above = detail::logarithms_apart(a, b);
    return g * sigmoid(std::numbers::ln2 * (k == 0 ? above : -above));
  }
};

/// log2(2^a + 2^b), element by element: no power overflows. Shapes broadcast. Where both are
/// the same infinity, each gets half of the gradient.
/// @formula y = log2(2^a + 2^b); dy/da = 2^(a - y), dy/db = 2^(b - y)
/// @shapes two of one floating type, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.logaddexp2
/// @jax jnp.logaddexp2
/// @given a = [0, -1, 100]; b = [0, 2, 100]
/// @gives tl::logaddexp2(a, b) = [1, 2.17, 101]
template <class A, class B>
  requires value_operands<A, B>
constexpr value logaddexp2(A a, B b) {
  return make<logaddexp2_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto logaddexp2(A a, B b) {
  return make<logaddexp2_operation>(a, b);
}

}  // namespace tapeless
