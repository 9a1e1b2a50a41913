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

/// The same for e^(x^2) times the first and the second integral of erfc from x to infinity: rational
/// functions that equal them in 19 or 20 points up to 4, within 2.3e-16, and of 1/x^2 beyond, within 2e-17.
constexpr value scaled_integral(value x, int order) {
  const value near = x < 4.0, t = where(near, x, 0.0), inverse = 1.0 / where(near, 4.0, x),
              s = square(inverse);
  if (order == 1) {
    const value inside =
        composed_polynomial(t, 2.486437349727351e-05, 0.0004894812794826965, 0.004672476167867987,
                            0.027975788487883343, 0.1145934807177369, 0.3296782961334473, 0.6566111293359274,
                            0.8427422520821383, 0.5641895835477562) /
        composed_polynomial(t, 8.814189854114792e-05, 0.0017351665850470067, 0.016695691595460308,
                            0.1017746704779179, 0.4309318815767887, 1.3148797035898305, 2.9122013440137042,
                            4.603332486162157, 4.9529584463409, 3.2661756009292486, 1.0);
    const value outside =
        composed_polynomial(s, 95.69601251799432, 2506.526494384619, 3966.8413006915976, 1954.0227011608113,
                            393.24253113562816, 33.59202584311891, 1.0) /
        composed_polynomial(s, 2165.7453494449333, 6879.146432526337, 6458.494692039926, 2498.748459096479,
                            442.1305699003147, 35.092025843118904, 1.0);
    return where(near, inside, s * (0.5 * std::numbers::inv_sqrtpi) * outside);
  }
  const value inside =
      composed_polynomial(t, 4.671145242397444e-06, 9.816111268303049e-05, 0.0010110896531518167,
                          0.006599131731511792, 0.02977877791786558, 0.09545671419861383, 0.21467569404873307,
                          0.31581683262950727, 0.25) /
      composed_polynomial(t, 3.311754678499189e-05, 0.0006959448393326563, 0.007267771341335625,
                          0.04887485536378636, 0.23255123323702687, 0.8156253419216631, 2.139131808210819,
                          4.176166079819141, 5.9257141182895925, 5.802550031592765, 3.5200256647090726, 1.0);
  const value outside = composed_polynomial(s, -1356.8301363415349, 27270.496848956383, 24984.4535948193,
                                            7437.3723459115145, 941.8776648611764, 51.81061943463875, 1.0) /
                        composed_polynomial(s, 66473.8511965659, 93409.29009826612, 45722.573314619585,
                                            10158.43144679293, 1095.0595231650238, 54.810619434638824, 1.0);
  return where(near, inside, s * inverse * (0.25 * std::numbers::inv_sqrtpi) * outside);
}

constexpr value erfcx_of(value x);

}  // namespace detail

/// e^(x^2) times the integral of erfc from x to infinity, which is -1/2 of erfcx's derivative; of the order 2
/// times the integral of that, which is -1/4 of this one's (DLMF 7.18). All are positive; what erfcx gives
/// them by is, for large x, a difference of two numbers near each other.
template <int Order>
struct erfcx_integral_operation : composed_operation<erfcx_integral_operation<Order>, 1> {
  static constexpr std::string_view name = "erfcx";
  static constexpr value forward(value x) {
    const value below = x < 0.0, above = detail::scaled_integral(where(below, 0.0, x), Order);
    const value t = where(below, x, 0.0), y = detail::erfcx_of(t), first = std::numbers::inv_sqrtpi - t * y;
    return where(below, Order == 1 ? first : 0.25 * y - 0.5 * (t * first), above);
  }
  static constexpr value cotangent(auto g, auto x, auto)
    requires(Order == 1)
  {
    return g * (-4.0 * erfcx_integral_operation<2>::build(x));
  }
};

struct erfcx_operation : composed_operation<erfcx_operation, 1> {
  static constexpr std::string_view name = "erfcx";
  static constexpr value forward(value x) {
    const value above = detail::scaled_complement(abs(x));
    return where(x < 0.0, 2.0 * detail::exponential_of_square(x, 1) - above, above);
  }
  static constexpr value cotangent(auto g, auto x, auto) {
    return g * (-2.0 * erfcx_integral_operation<1>::build(x));
  }
};

constexpr value detail::erfcx_of(value x) { return erfcx_operation::build(x); }

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
