// SPDX-License-Identifier: BSL-1.0
// digamma(x): the derivative of lgamma.
#pragma once

#include <numbers>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/polygamma_operation.hpp>
#include <tapeless/ops/pointwise/round.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

namespace detail {

/// For x from -1/4 to 3, by (w - root) r(w - 1) with a rational function r that equals it in 17 points:
/// within 2e-19. The root is subtracted in two parts.
constexpr value digamma_to_3(value x) {
  const value below = x < 1.0, s = where(below, x, x - 1.0);
  const value ratio =
      composed_polynomial(s, 2.7517865299192147e-9, 3.5285550564358083e-6, 0.00027299358224980889,
                          0.0069473679632109906, 0.080081678814081007, 0.47078669868924943, 1.446958705919868,
                          2.1816190972606766, 1.2503801375034054) /
      composed_polynomial(s, 6.3424302483435693e-7, 6.8063378941808604e-5, 0.0022266948577177841,
                          0.032464313285032045, 0.24421775411451872, 1.000889237806137, 2.2152880237304514,
                          2.428311492475379, 1.0);
  const value y = ((s - 0.4616321325302124023) - 1.2438149938918909542e-8) * ratio;
  return where(below, y - 1.0 / where(below, x, 1.0), y);
}

/// For x from 3 on: log x - 1/(2x) - r/x^2 with a rational function r of 1/x^2.
constexpr value digamma_from_3(value x) {
  const value t = square(1.0 / x);
  const value ratio =
      composed_polynomial(t, 1.0782229367225984, 21.017305413665359, 57.656514563374896, 48.847246245868274,
                          15.850824113085535, 2.0234814076069776, 0.083333333333333333) /
      composed_polynomial(t, 25.927999700660513, 305.52397218059837, 744.26650092453965, 604.31596275512323,
                          192.60044799853723, 24.381776891283729, 1.0);
  return log(x) - (0.5 / x + t * ratio);
}

}  // namespace detail

struct digamma_operation : composed_operation<digamma_operation, 1> {
  static constexpr std::string_view name = "digamma";
  static constexpr value forward(value x) {
    const value reflected = x < -0.25, z = where(reflected, 1.0 - x, x), small = z < 3.0;
    const value y = where(small, detail::digamma_to_3(where(small, z, 2.0)),
                          detail::digamma_from_3(where(small, 3.0, z)));
    const value below = y - std::numbers::pi * detail::cotangent_of_pi(where(reflected, x, 0.5));
    const value is_pole = reflected && x == round(x);
    return where(is_pole, sqrt(where(is_pole, -1.0, 1.0)), where(reflected, below, y));
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * polygamma(1, x); }
};

/// d log Gamma(x) / dx, element by element: -infinity at 0, infinity at -0, NaN at negative whole numbers, as
/// PyTorch has it.
/// @formula y = Gamma'(x) / Gamma(x); dy/dx = polygamma(1, x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.digamma
/// @jax jax.scipy.special.digamma
/// @given x = [-0.5, 0.5, 10]
/// @gives tl::digamma(x) = [0.03649, -1.964, 2.252]
constexpr value digamma(is_value auto x) { return make<digamma_operation>(x); }
TAPELESS_FACTORY auto digamma(expression_operand auto x) { return make<digamma_operation>(x); }

}  // namespace tapeless
