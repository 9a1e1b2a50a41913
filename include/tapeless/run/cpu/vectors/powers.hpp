// SPDX-License-Identifier: BSL-1.0
// Powers of vectors, and hyperbolic functions.
#pragma once

#include <concepts>
#include <limits>
#include <numbers>

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/run/cpu/vectors/exponential.hpp>
#include <tapeless/run/cpu/vectors/logarithm.hpp>
#include <tapeless/run/cpu/vectors/rounding.hpp>

namespace tapeless::cpu_kernels {

/// 2^x.
template <many_lanes T>
[[gnu::always_inline]] inline wide<T> exp2(wide<T> x) {
  using tapeless::detail::polynomial;
  constexpr bool is_float = std::same_as<T, float>;
  // beyond, the result is infinite or rounds to 0
  const wide<T> near =
      limited_below(limited_above(x, splat(T(is_float ? 130 : 1030))), splat(T(is_float ? -160 : -1080)));
  const wide<T> n{Eigen::internal::print(near.p)}, r = near - n;
  const auto slope = [&] {  // (2^r - 1) / r, by polynomials through Chebyshev's points
    if constexpr (is_float) {
      return polynomial(r, 1.529732376e-5, 1.54614447e-4, 1.333350239e-3, 9.618056679e-3, 5.550410884e-2,
                        0.2402265092, std::numbers::ln2);
    } else {
      return polynomial(r, 2.572932417736230421e-11, 4.455817908336064493e-10, 7.054897304155499277e-9,
                        1.01780570877339411e-7, 1.321548680870556279e-6, 1.525273384155677259e-5,
                        1.540353039337073341e-4, 1.33335581464064707e-3, 9.618129107628479493e-3,
                        5.550410866482162704e-2, 0.2402265069591007123, std::numbers::ln2);
    }
  }();
  return times_power_of_two(multiply_add(r, slope, splat(T(1))), n);
}

namespace detail {

/// e^x / 2 for x >= 0, finite wherever sinh and cosh are.
template <class T>
[[gnu::always_inline]] inline wide<T> half_power(wide<T> x) {
  const reduced_power<T> e(limited_above(x, splat(T(std::same_as<T, float> ? 90 : 711))));
  return times_power_of_two(splat(T(1)) + e.power(), e.n - splat(T(1)));
}

}  // namespace detail

template <many_lanes T>
[[gnu::always_inline]] inline wide<T> cosh(wide<T> x) {
  const wide<T> half = detail::half_power(abs(x));
  return half + splat(T(0.25)) / half;
}
template <many_lanes T>
[[gnu::always_inline]] inline wide<T> sinh(wide<T> x) {
  using tapeless::detail::polynomial;
  const wide<T> size = abs(x), one = splat(T(1)), near = limited_above(size, one), square = near * near;
  const wide<T> half = detail::half_power(size);
  const auto sum = [&] {  // (sinh(x)/x - 1) / x^2, by polynomials through Chebyshev's points
    if constexpr (std::same_as<T, float>) {
      return polynomial(square, 2.806280258e-6, 1.983810197e-4, 8.333339676e-3, 0.1666666665);
    } else {
      return polynomial(square, 7.746178593018827489e-13, 1.605767962380163775e-10, 2.505211769590782357e-8,
                        2.7557319191381817e-6, 1.984126984132419792e-4, 8.333333333333299355e-3,
                        0.166666666666666667);
    }
  }();
  return with_sign(choose(size < one, multiply_add(near * square, sum, near), half - splat(T(0.25)) / half),
                   x);
}

namespace detail {

/// x^y for x >= 0. The logarithm is a sum of two numbers, so that y times it keeps its digits.
template <class T>
wide<T> power_of_size(wide<T> x, wide<T> y) {
  using tapeless::detail::polynomial;
  constexpr bool is_float = std::same_as<T, float>;
  const wide<T> zero = splat(T(0)), one = splat(T(1)), two = splat(T(2));
  const wide<T> infinite = splat(above_all<T>);
  const binary_parts<T> parts(x);
  // log(1 + f) = 2 s + 2/3 s^3 + 2/5 s^5 + ... with s = f / (2 + f)
  const wide<T> f = parts.rest, sum = two + f, inverse = one / sum, s = f * inverse;
  const wide<T> lost_s = inverse * (minus_product(f, s, sum) - s * (f - (sum - two)));
  const wide<T> square = s * s, lost_square = product_error(s, s, square) + two * s * lost_s;
  const auto rest = [&] {  // what follows 2/3, by polynomials through Chebyshev's points
    if constexpr (is_float) {
      return square * polynomial(square, 0.230490028044481, 0.2856221924167662, 0.40000015096956515);
    } else {
      return square * polynomial(square, 0.1291471218393509, 0.13285868837545742, 0.15385577463308145,
                                 0.18181808210921882, 0.22222222271326808, 0.2857142857133801,
                                 0.4000000000000003);
    }
  }();
  const wide<T> third = splat(T(2.0 / 3)), factor = third + rest;
  const wide<T> lost_factor =
      ((third - factor) + rest) + splat(T(is_float ? -1.9868214925130207e-8 : 3.700743415417188e-17));
  const wide<T> slope = square * factor;
  const wide<T> lost_slope =
      product_error(square, factor, slope) + (square * lost_factor + lost_square * factor);
  const wide<T> cubic = s * slope,
                lost_cubic = product_error(s, slope, cubic) + (s * lost_slope + lost_s * slope);
  // ln 2 in two numbers; the first has so few digits that its multiples are exact
  const wide<T> binades = parts.exponent * splat(T(is_float ? 0x1.62ep-1 : 0x1.62e42feep-1));
  const wide<T> linear = s + s, first = binades + linear, second = first + cubic;
  const wide<T> small = parts.exponent * splat(T(is_float ? 3.1946184945309415e-5 : 1.9082149292705877e-10)) +
                        (lost_s + lost_s) + lost_cubic;
  const wide<T> lost = sum_error(binades, linear, first) + sum_error(first, cubic, second) + small;
  const wide<T> inside = second + lost;
  const wide<T> logarithm = choose(x == zero, -infinite, choose(x == infinite, infinite, inside));
  const wide<T> product = y * logarithm;
  const wide<T> lost_product = product_error(y, inside, product) + y * ((second - inside) + lost);
  // beyond, the result is infinite or rounds to 0
  reduced_power<T> e(
      limited_below(limited_above(product, splat(T(is_float ? 89 : 710))), splat(T(is_float ? -150 : -746))));
  e.r = e.r + choose(abs(product) < splat(T(1000)), lost_product, zero);
  return choose(y == zero || x == one, one, times_power_of_two(one + e.power(), e.n));
}

}  // namespace detail

template <fused_lanes T>
[[gnu::always_inline]] inline wide<T> pow(wide<T> x, wide<T> y) {
  const wide<T> size = abs(x), half = splat(T(0.5)) * y, power = detail::power_of_size(size, y);
  const wide_mask<T> is_whole = nearbyint(y) == y, is_odd = is_whole && nearbyint(half) != half;
  const wide<T> result = choose(is_odd, with_sign(power, x), power);
  const wide_mask<T> has_none = x < splat(T(0)) && size <= splat(std::numeric_limits<T>::max()) && !is_whole;
  return choose(has_none, splat(no_number<T>), result);
}

}  // namespace tapeless::cpu_kernels
