// SPDX-License-Identifier: BSL-1.0
// lgamma(x): the logarithm of the gamma function's size.
#pragma once

#include <numbers>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/digamma.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/round.hpp>
#include <tapeless/ops/pointwise/sin.hpp>
#include <tapeless/ops/pointwise/sinc.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

namespace detail {

inline constexpr double log_of_pi = 1.1447298858494001741;

/// For x from 0 to 3, by log Gamma(1 + u) = u (u - 1) r(u) with a rational function r that equals it in 17
/// points: within 5e-18.
constexpr value log_gamma_to_3(value x) {
  const value below = x < 1.0, s = where(below, x - 1.0, x - 2.0), next = where(below, x, x - 1.0);
  const value ratio =
      composed_polynomial(next, 1.5461936951802456e-7, 0.00010318837206617545, 0.0046301779771817127,
                          0.066206152425172694, 0.417523673406557, 1.3226847161937862, 2.1865297722884143,
                          1.7958776372674932, 0.57721566490153286) /
      composed_polynomial(next, 2.470160111347707e-5, 0.0017463539177532293, 0.036138615431764559,
                          0.32397536058218012, 1.4770952790072441, 3.6722129396804989, 5.0212505261482277,
                          3.5361635691891155, 1.0);
  const value y = s * next * ratio;
  return where(below, y - log(where(below, x, 1.0)), y);
}

/// For x from 3 on: Stirling's formula, whose rest is a rational function of 1/x^2.
constexpr value log_gamma_from_3(value x) {
  const value t = square(1.0 / x);
  const value ratio = composed_polynomial(t, 0.13367152784937786, 2.5590246849884034, 6.6878298247072121,
                                          4.9043049711592216, 1.1903726063511851, 0.083333333333333333) /
                      composed_polynomial(t, 2.2233018372901339, 32.972253807326559, 82.102053908914084,
                                          59.319395998043272, 14.317804609547542, 1.0);
  return (x - 0.5) * (log(x) - 1.0) + (0.41893853320467274178 + ratio / x);
}

}  // namespace detail

struct lgamma_operation : composed_operation<lgamma_operation, 1> {
  static constexpr std::string_view name = "lgamma";
  static constexpr value forward(value x) {
    const value reflected = x < 0.0, z = where(reflected, 1.0 - x, x), small = z < 3.0;
    const value y = where(small, detail::log_gamma_to_3(where(small, z, 2.0)),
                          detail::log_gamma_from_3(where(small, 3.0, z)));
    const value wave = abs(detail::sin_of_pi(where(reflected, x, 0.5)));
    // y overflows before x does; where the wave is 0, it does not matter.
    const value below = detail::log_of_pi - log(wave) - where(wave == 0.0, 0.0, y);
    return where(abs(x) > detail::largest_finite(x.type()), abs(x), where(reflected, below, y));
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * digamma(x); }
};

/// log |Gamma(x)|, element by element: infinity at 0 and at negative whole numbers.
/// @formula y = log |Gamma(x)|; dy/dx = digamma(x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.lgamma
/// @jax jax.scipy.special.gammaln
/// @given x = [-0.5, 0.5, 10]
/// @gives tl::lgamma(x) = [1.266, 0.5724, 12.8]
constexpr value lgamma(is_value auto x) { return make<lgamma_operation>(x); }
TAPELESS_FACTORY auto lgamma(expression_operand auto x) { return make<lgamma_operation>(x); }

}  // namespace tapeless
