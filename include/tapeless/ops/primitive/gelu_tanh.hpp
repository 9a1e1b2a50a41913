// SPDX-License-Identifier: BSL-1.0
// gelu_tanh(x): the Gaussian error linear unit by the tanh that comes near it, and its slope. Operations of
// their own, because libraries of matrix products take them along.
#pragma once

#include <cmath>
#include <numbers>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>
#include <tapeless/ops/primitive/square.hpp>
#include <tapeless/ops/primitive/tanh.hpp>
#include <tapeless/ops/primitive/where.hpp>

namespace tapeless {

namespace detail {

inline constexpr double gelu_linear = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;  // sqrt(2/pi)
inline constexpr double gelu_cubic = gelu_linear * 0.044715;
inline constexpr double gelu_end = 10;  // beyond, the tanh is 1 or -1, and powers of x could overflow

}  // namespace detail

/// d/dx gelu_tanh(x) = (1 + t)/2 + x (1 - t^2) u'/2, with t = tanh(u), u = sqrt(2/pi) (x + 0.044715 x^3).
struct gelu_tanh_slope_rule : pointwise_rule<gelu_tanh_slope_rule, 1> {
  static constexpr std::string_view name = "gelu's slope";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::tanh;
    const auto near = smaller(larger(x, number_like(x, -detail::gelu_end)), number_like(x, detail::gelu_end));
    const auto a = number_like(x, detail::gelu_linear), b = number_like(x, detail::gelu_cubic);
    const auto half = number_like(x, 0.5), one = number_like(x, 1), square = near * near;
    const auto t = tanh(near * (a + b * square));
    return half * (one + t) + half * near * (one - t * t) * (a + number_like(x, 3) * b * square);
  }
  static constexpr value cotangent(auto g, auto x, auto) {
    const value above = where(x < -detail::gelu_end, -detail::gelu_end, x);
    const value near = where(above > detail::gelu_end, detail::gelu_end, above);
    const value t = tanh(near * (detail::gelu_linear + detail::gelu_cubic * square(near)));
    const value slope = detail::gelu_linear + 3 * detail::gelu_cubic * square(near);  // of u
    return g * ((1.0 - square(t)) * (slope + near * (3 * detail::gelu_cubic * near - t * square(slope))));
  }
};

struct gelu_tanh_rule : pointwise_rule<gelu_tanh_rule, 1> {
  static constexpr std::string_view name = "gelu";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::tanh;
    const auto a = number_like(x, detail::gelu_linear), b = number_like(x, detail::gelu_cubic);
    return x * (number_like(x, 0.5) * (number_like(x, 1) + tanh(x * (a + b * (x * x)))));
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * gelu_tanh_slope_rule::build(x); }
};

}  // namespace tapeless
