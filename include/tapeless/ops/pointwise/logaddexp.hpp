// SPDX-License-Identifier: BSL-1.0
// logaddexp(a, b): the logarithm of a sum of powers.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/log1p.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/sigmoid.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

namespace detail {

/// a - b, and 0 where both are the same infinity.
constexpr value logarithms_apart(value a, value b) {
  return where(a == b && abs(a) > largest_finite(a.type()), 0.0, a - b);
}

}  // namespace detail

struct logaddexp_operation : composed_operation<logaddexp_operation, 2> {
  static constexpr std::string_view name = "logaddexp";
  static constexpr value forward(value a, value b) {
    return max(a, b) + log1p(exp(-abs(detail::logarithms_apart(a, b))));
  }
  static constexpr value cotangent(int k, auto g, auto a, auto b, auto) {
    const value above = detail::logarithms_apart(a, b);
    return g * sigmoid((k == 0 ? above : -above));
  }
};

/// log(e^a + e^b), element by element: no power overflows. Shapes broadcast. Where both are
/// the same infinity, each gets half of the gradient.
/// @formula y = log(e^a + e^b); dy/da = e^(a - y), dy/db = e^(b - y)
/// @shapes two of one floating type, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.logaddexp
/// @jax jnp.logaddexp
/// @given a = [0, -1, 100]; b = [0, 2, 100]
/// @gives tl::logaddexp(a, b) = [0.6931, 2.049, 100.7]
template <class A, class B>
  requires value_operands<A, B>
constexpr value logaddexp(A a, B b) {
  return make<logaddexp_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto logaddexp(A a, B b) {
  return make<logaddexp_operation>(a, b);
}

}  // namespace tapeless
