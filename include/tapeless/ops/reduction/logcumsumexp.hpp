// SPDX-License-Identifier: BSL-1.0
// logcumsumexp<axis>(x): logarithms of the sums of all powers so far along an axis.
#pragma once

#include <limits>

#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/min.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/cumprod.hpp>
#include <tapeless/ops/reduction/cumulative_largest.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <int Axis>
struct logcumsumexp_statement {
  static constexpr std::string_view name = "logcumsumexp";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (is_axis_of_scalar(x, Axis)) return reshape(build(detail::as_vector(x)), shape_of(x));
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0 || !detail::require_kind(name, x, element_kind::floating)) return x;
    if (is_half(x.type())) return cast(build(cast(x, element::f32)), x.type());
    // s_i = e^(x_i - m_i) + e^(m_(i-1) - m_i) s_(i-1), where m_i is the largest so far: no power overflows
    const value most = cumulative_largest(x, axis);
    const value infinite =
        most == -std::numeric_limits<double>::infinity() || most == std::numeric_limits<double>::infinity();
    const value m = stop_gradient(where(infinite, 0.0, most));
    // at most 1, also where m_(i-1) is 0 since there is none, or only -infinity so far
    const value decay = exp(min(detail::previous_along(m, axis) - m, 0.0));
    const value s = linear_recurrence(exp(x - m), stop_gradient(decay), axis, false);
    // where all so far are -infinity, so is the result, and the derivative is 0
    const value none = s == 0.0;
    return m + where(none, -std::numeric_limits<double>::infinity(), log(where(none, 1.0, s)));
  }
};

/// y_i = log(e^x_0 + ... + e^x_i) along the axis, without a power that overflows.
/// @formula y_i = log(e^x_0 + ... + e^x_i)
/// @shapes floating [..] -> [..]
/// @errors shapes
/// @torch torch.logcumsumexp
/// @jax jax.lax.cumlogsumexp
/// @given x = [0, 1, 100]
/// @gives tl::logcumsumexp<0>(x) = [0, 1.313, 100]
template <int Axis>
TAPELESS_FACTORY auto logcumsumexp(operand auto x) {
  return make<logcumsumexp_statement<Axis>>(x);
}

}  // namespace tapeless
