// SPDX-License-Identifier: BSL-1.0
// Logarithms of vectors: right through the subnormal numbers, where Eigen's are not.
#pragma once

#include <concepts>
#include <limits>
#include <numbers>

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/run/cpu/vectors/exponential.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

/// x = mantissa 2^exponent with 1/2 <= mantissa < 1, for positive x.
template <class Packet>
Packet split(Packet x, Packet& exponent) {
  return Eigen::internal::pfrexp(x, exponent);
}
#ifdef EIGEN_VECTORIZE_AVX512
inline __m512 split(__m512 x, __m512& exponent) {
  exponent = _mm512_add_ps(_mm512_getexp_ps(x), _mm512_set1_ps(1));
  return _mm512_getmant_ps(x, _MM_MANT_NORM_p5_1, _MM_MANT_SIGN_src);
}
inline __m512d split(__m512d x, __m512d& exponent) {
  exponent = _mm512_add_pd(_mm512_getexp_pd(x), _mm512_set1_pd(1));
  return _mm512_getmant_pd(x, _MM_MANT_NORM_p5_1, _MM_MANT_SIGN_src);
}
#endif

/// x = (1 + rest) 2^exponent with sqrt(1/2) <= 1 + rest < sqrt(2), for positive x.
template <class T>
struct binary_parts {
  wide<T> exponent, rest;

  [[gnu::always_inline]] explicit binary_parts(wide<T> x) {
    const wide<T> mantissa{split(x.p, exponent.p)}, zero = splat(T(0)), one = splat(T(1));
    const wide_mask<T> is_small = mantissa < splat(T(0.5 * std::numbers::sqrt2));
    rest = choose(is_small, mantissa + mantissa, mantissa) - one;
    exponent = exponent - choose(is_small, one, zero);
  }
};

/// log(1 + f) for sqrt(1/2) <= 1 + f < sqrt(2): of float by Cephes' polynomial.
template <class T>
[[gnu::always_inline]] inline wide<T> log_above_one(wide<T> f) {
  const wide<T> square = f * f;
  if constexpr (std::same_as<T, float>) {
    const wide<T> cube = square * f;
    const auto three = [&](double a, double b, double c) {
      return multiply_add(multiply_add(splat(static_cast<T>(a)), f, splat(static_cast<T>(b))), f,
                          splat(static_cast<T>(c)));
    };
    const wide<T> high = three(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1);
    const wide<T> middle = three(-1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1);
    const wide<T> low = three(2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1);
    wide<T> sum = multiply_add(multiply_add(high, cube, middle), cube, low) * cube;
    sum = f + multiply_add(splat(T(-0.5)), square, sum);
    return sum;
  } else {
    // f - (f^2/2 - s (f^2/2 + r)) with s = f / (2 + f) and r = (log(1 + f) - 2 s) / s, by a polynomial
    // through Chebyshev's points
    const wide<T> s = f / (splat(T(2)) + f), s_square = s * s, half = splat(T(0.5)) * square;
    const wide<T> r =
        s_square * tapeless::detail::polynomial(s_square, 0.14617807153417325, 0.15331611722055008,
                                                0.1818289243253687, 0.22222211089379496, 0.28571428626253836,
                                                0.3999999999989889, 0.666666666666667);
    return f - (half - s * (half + r));
  }
}

/// What a logarithm is from end to end, of which `inside` is right for positive numbers.
template <class T>
wide<T> logarithm(wide<T> x, wide<T> inside) {
  const wide<T> zero = splat(T(0)), infinite = splat(above_all<T>);
  const wide<T> none = choose(x == zero, -infinite, splat(no_number<T>));
  return choose(x <= splat(std::numeric_limits<T>::max()), choose(x > zero, inside, none), x);
}

}  // namespace detail

template <many_lanes T>
[[gnu::always_inline]] inline wide<T> log(wide<T> x) {
  const detail::binary_parts<T> parts(x);
  const wide<T> near = detail::log_above_one(parts.rest);
  if constexpr (std::same_as<T, float>) {
    return detail::logarithm(x, multiply_add(parts.exponent, splat(T(std::numbers::ln2)), near));
  } else {
    // ln 2 in two numbers; the first has so few digits that its multiples are exact
    const wide<T> lost = multiply_add(parts.exponent, splat(T(1.9082149292705877e-10)), near);
    return detail::logarithm(x, multiply_add(parts.exponent, splat(T(0x1.62e42feep-1)), lost));
  }
}

/// log(1 + x): the logarithm of the sum, and what the sum has lost.
template <many_lanes T>
[[gnu::always_inline]] inline wide<T> log1p(wide<T> x) {
  const wide<T> one = splat(T(1)), sum = one + x, whole = log(sum);
  const wide<T> result = whole + sum_error(one, x, sum) / sum;
  const wide_mask<T> inside = splat(T(0)) < sum && sum <= splat(std::numeric_limits<T>::max());
  return choose(sum == one, x, choose(inside, result, whole));
}

/// The logarithm to the base 2, exact for powers of 2.
template <many_lanes T>
[[gnu::always_inline]] inline wide<T> log2(wide<T> x) {
  const detail::binary_parts<T> parts(x);
  const wide<T> near = detail::log_above_one(parts.rest);
  return detail::logarithm(x, multiply_add(near, splat(T(std::numbers::log2e)), parts.exponent));
}

}  // namespace tapeless::cpu_kernels
