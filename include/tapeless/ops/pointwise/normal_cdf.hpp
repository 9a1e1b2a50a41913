// SPDX-License-Identifier: BSL-1.0
// normal_cdf(x): the probability that a normal variable is below x, which gelu's derivative is made of, too.
// An operation of its own, so that its derivative needs nothing but x.
#pragma once

#include <numbers>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/greater.hpp>
#include <tapeless/ops/pointwise/less.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

namespace detail {

inline constexpr double normal_end = 40;  // the probability of being farther away is 0, in every type

/// x times the probability that a normal variable is above t, from 0 to normal_end.
constexpr auto times_normal_tail(auto x, auto t) {
  using number = decltype(element_number(t));
  const auto half = number_like(t, 0.5);
  if constexpr (std::numeric_limits<number>::digits == std::numeric_limits<float>::digits) {
    // e^(-t^2/2) / (2t + r), with a rational function r whose coefficients are all positive, equal to it in
    // ten points up to 14.6: within 8e-9. Its common factor keeps the sums away from powers of 2, above which
    // rounding loses most. What the square has lost is made up for below, where that costs no more rounding.
    const auto square = t * t, lost = half * product_error(t, t, square);
    const auto power = exponential_of(number_like(t, -0.5) * square);
    const auto factor = polynomial(t, 0.01423504487, 0.1408867621, 0.6362611806, 1.523593623, 1.74);
    const auto rest =
        polynomial(t, 0.007211463753, 0.07139957379, 0.3575078964, 1.132062674, 2.34382663, 3.479999986);
    const auto sum = multiply_add(t + t, factor, rest);
    const auto ratio = near_quotient(factor, multiply_add(t + t, factor, multiply_add(sum, lost, rest)));
    return power.scaled((x * power.mantissa) * ratio);
  } else {
    using std::erfc;
    const auto factor = number_like(t, 0.5 * std::numbers::sqrt2), z = t * factor;
    const auto lost = product_error(t, factor, z) + t * number_like(t, -4.8336466567264565e-17);
    return (half * x) * (erfc(z) * (number_like(t, 1) - (z + z) * lost));
  }
}

/// |x|, or normal_end where it is larger.
constexpr auto near_normal(auto x) {
  using std::abs;
  return limited_above(abs(x), number_like(x, normal_end));
}

/// The density at x.
constexpr value normal_density(value x) {
  return 0.5 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi * exp(-0.5 * (x * x));
}
/// x, or 0 where the density is 0, so that infinity is never multiplied by that.
constexpr value unless_far(value x) { return where(abs(x) < normal_end, x, 0.0); }

}  // namespace detail

struct normal_cdf_operation : pointwise_operation<normal_cdf_operation, 1> {
  static constexpr std::string_view name = "normal_cdf";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    const auto one = number_like(x, 1), outside = detail::times_normal_tail(one, detail::near_normal(x));
    return choose(x < number_like(x, 0), outside, one - outside);
  }
  static constexpr value cotangent(auto g, auto x, auto) {
    const value above = where(x < -detail::normal_end, -detail::normal_end, x);
    return g * detail::normal_density(where(above > detail::normal_end, detail::normal_end, above));
  }
};

/// The probability that a normally distributed number of mean 0 and deviation 1 is below x, element by
/// element, exact on both sides.
/// @formula y = (1 + erf(x / sqrt(2))) / 2; dy/dx = e^(-x^2/2) / sqrt(2 pi)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.special.ndtr
/// @jax jax.scipy.stats.norm.cdf
/// @given x = [-2, 0, 1]
/// @gives tl::normal_cdf(x) = [0.02275, 0.5, 0.8413]
constexpr value normal_cdf(is_value auto x) { return make<normal_cdf_operation>(x); }
TAPELESS_FACTORY auto normal_cdf(expression_operand auto x) { return make<normal_cdf_operation>(x); }

}  // namespace tapeless
