// SPDX-License-Identifier: BSL-1.0
// erfcx(x): the error function's complement, scaled by e^(x^2).
#pragma once

#include <numbers>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/min.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/trunc.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

namespace detail {

/// e^(x^2), or e^-(x^2) for sign = -1: of a part of x whose square is exact, and of the rest.
constexpr value exponential_of_square(value x, double sign) {
  const value size = min(abs(x), 30.0), part = trunc(16.0 * size) * 0.0625;
  return exp(sign * square(part)) * exp(sign * ((size - part) * (size + part)));
}

/// e^(x^2) erfc(x) for x from 0 on: a rational function that equals it in 19 points up to 4, and one of 1/x^2
/// beyond, within 6e-17.
constexpr value scaled_complement(value x) {
  const value near = x < 4.0, t = where(near, x, 0.0), inverse = 1.0 / where(near, 4.0, x),
              s = square(inverse);
  const value inside =
      composed_polynomial(t, -5.9408770145081612e-13, 0.00010231663928010324, 0.0019482516524116664,
                          0.017626746533044211, 0.098232103348325513, 0.36779545756190835,
                          0.94862750837451351, 1.656946291296471, 1.8177310177713988, 1.0000000000000001) /
      composed_polynomial(t, 0.0001813514593079771, 0.003453187912690206, 0.031333237902104682,
                          0.17583889999184693, 0.6674265691398425, 1.7667654984383434, 3.247158601094442,
                          3.9812756478678968, 2.9461101848669211, 1.0);
  const value outside = composed_polynomial(s, 123.41433337471179, 1430.3412419612301, 2402.7612908649767,
                                            1336.2832296010143, 306.55126069760456, 29.761412117454137, 1.0) /
                        composed_polynomial(s, 418.83921758984916, 2231.1853109808727, 2950.2040405147637,
                                            1475.9281538908364, 320.9319667563323, 30.261412117454137, 1.0);
  return where(near, inside, inverse * std::numbers::inv_sqrtpi * outside);
}

}  // namespace detail

struct erfcx_operation : composed_operation<erfcx_operation, 1> {
  static constexpr std::string_view name = "erfcx";
  static constexpr value forward(value x) {
    const value above = detail::scaled_complement(abs(x));
    return where(x < 0.0, 2.0 * detail::exponential_of_square(x, 1) - above, above);
  }
  static constexpr value cotangent(auto g, auto x, auto y) {
    return g * (2.0 * x * y - 2.0 * std::numbers::inv_sqrtpi);
  }
};

/// e^(x^2) erfc(x), element by element: 1 / (sqrt(pi) x) for large x, where erfc(x) is 0.
/// @formula y = e^(x^2) erfc(x); dy/dx = 2 x y - 2 / sqrt(pi)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.special.erfcx
/// @jax none
/// @given x = [-1, 0, 20]
/// @gives tl::erfcx(x) = [5.009, 1, 0.02817]
constexpr value erfcx(is_value auto x) { return make<erfcx_operation>(x); }
TAPELESS_FACTORY auto erfcx(expression_operand auto x) { return make<erfcx_operation>(x); }

}  // namespace tapeless
