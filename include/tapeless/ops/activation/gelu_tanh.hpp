// SPDX-License-Identifier: BSL-1.0
// gelu_tanh(x): the Gaussian error linear unit by the tanh that comes near it, and its slope. Operations of
// their own, because libraries of matrix products take them along.
#pragma once

#include <numbers>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/tanh.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

namespace detail {

inline constexpr double gelu_linear = 0.7978845608028653559;    // sqrt(2/pi)
inline constexpr double gelu_cubic = 0.0356774081363001243882;  // times 0.044715
inline constexpr double gelu_linear_rest = -4.9846544045554602e-17, gelu_cubic_rest = -3.0875749590777577e-19;
inline constexpr double gelu_end = 10;       // beyond, the tanh is 1 or -1, and powers of x could overflow
inline constexpr double gelu_tail_end = 40;  // beyond, it is 0 or x, in every type

}  // namespace detail

/// d/dx gelu_tanh(x) = (1 + t)/2 + x (1 - t^2) u'/2, with t = tanh(u), u = sqrt(2/pi) (x + 0.044715 x^3).
struct gelu_tanh_slope_operation : pointwise_operation<gelu_tanh_slope_operation, 1> {
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

struct gelu_tanh_operation : pointwise_operation<gelu_tanh_operation, 1> {
  static constexpr std::string_view name = "gelu";
  static constexpr element_kind takes = element_kind::floating;
  /// x sigmoid(2u) with u = x (a + b x^2), which is (1 + tanh(u))/2, but keeps its digits where that is near
  /// 0. There they depend on what is lost where u is rounded, so u is computed with it.
  static constexpr auto apply(auto x) {
    const auto a = number_like(x, detail::gelu_linear), b = number_like(x, detail::gelu_cubic);
    const auto end = number_like(x, detail::gelu_tail_end), above = limited_below(x, -end);
    const auto near = limited_above(above, end);
    const auto square = near * near, lost_square = product_error(near, near, square);
    const auto cubic = rounded_product(b, square);
    const auto lost_cubic =
        multiply_add(b, lost_square,
                     multiply_add(rest_like(x, detail::gelu_cubic, detail::gelu_cubic_rest), square,
                                  product_error(b, square, cubic)));
    const auto slope = a + cubic;
    const auto lost_slope = sum_error(a, cubic, slope) +
                            (lost_cubic + rest_like(x, detail::gelu_linear, detail::gelu_linear_rest));
    const auto u = near * slope, lost = multiply_add(near, lost_slope, product_error(near, slope, u));
    const auto power = exponential_of(limited_above(u + u, end));
    const auto mantissa = multiply_add(power.mantissa, lost + lost, power.mantissa);
    return power.scaled(above * (mantissa / (number_like(x, 1) + power.scaled(mantissa))));
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * gelu_tanh_slope_operation::build(x); }
};

}  // namespace tapeless
