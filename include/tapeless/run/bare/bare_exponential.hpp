// SPDX-License-Identifier: BSL-1.0
// e^x, its logarithm and its hyperbolic tangent without a C library, of numbers and of vectors with the same
// bits, and what they are made of.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <numbers>

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/run/bare/bare_number.hpp>
#include <tapeless/run/bare/bare_vectors.hpp>

namespace tapeless::bare_kernels::detail {

/// 2^n, where that is a normal number.
template <class Lanes>
[[gnu::always_inline]] constexpr auto power_of_two(typename Lanes::integers n) {
  using format = float_bits<typename Lanes::number>;
  return std::bit_cast<typename Lanes::held>(std::bit_cast<typename Lanes::bits>(n + format::bias)
                                             << format::digits);
}
/// x 2^n, rounded once where that is subnormal; for an x near 1.
template <class Lanes>
[[gnu::always_inline]] constexpr auto scaled(typename Lanes::held x, typename Lanes::integers n) {
  const typename Lanes::integers half = n >> 1;
  return x * power_of_two<Lanes>(half) * power_of_two<Lanes>(n - half);
}
/// Without the sign.
template <class Lanes>
[[gnu::always_inline]] constexpr auto size_of_numbers(typename Lanes::held x) {
  using bits = typename one_lane<typename Lanes::number>::bits;
  return std::bit_cast<typename Lanes::held>(std::bit_cast<typename Lanes::bits>(x) & (~bits{0} >> 1));
}
/// A number that is not negative, with the sign of another.
template <class Lanes>
[[gnu::always_inline]] constexpr auto with_sign_of(typename Lanes::held size, typename Lanes::held x) {
  using bits = typename one_lane<typename Lanes::number>::bits;
  return std::bit_cast<typename Lanes::held>(std::bit_cast<typename Lanes::bits>(size) |
                                             (std::bit_cast<typename Lanes::bits>(x) & ~(~bits{0} >> 1)));
}

/// A number that is not negative, at most the limit; that of NaN is the limit. Such numbers have the order of
/// their bits, and compilers know the smaller of two integers, in vectors too, by `<=`.
template <class Lanes>
[[gnu::always_inline]] inline auto limited(typename Lanes::held x, typename Lanes::number limit) {
  using integers = typename Lanes::integers;
  const auto bits = std::bit_cast<integers>(x);
  const integers most =
      integers{} + std::bit_cast<typename one_lane<typename Lanes::number>::integers>(limit);
  return std::bit_cast<typename Lanes::held>(bits <= most ? bits : most);
}
/// The size of x, at most the limit.
template <class Lanes>
[[gnu::always_inline]] inline auto limited_size(typename Lanes::held x, typename Lanes::number limit) {
  return limited<Lanes>(size_of_numbers<Lanes>(x), limit);
}

/// x, at most the limit; NaN stays.
template <class Lanes>
[[gnu::always_inline]] inline auto at_most(typename Lanes::held x, typename Lanes::number limit) {
  return Lanes::smaller(Lanes::spread(limit), x);
}

/// sum_i c_i x^i, the highest first.
template <class Lanes, class... C>
[[gnu::always_inline]] constexpr auto polynomial_of(typename Lanes::held x, double highest, C... lower) {
  using number = typename Lanes::number;
  typename Lanes::held sum = Lanes::spread(static_cast<number>(highest));
  ((sum = sum * x + static_cast<number>(lower)), ...);
  return sum;
}
template <class T, class... C>
constexpr T polynomial(T x, double highest, C... lower) {
  return polynomial_of<one_lane<T>>(x, highest, lower...);
}

/// The whole number next to x, where |x| is below 2^(digits - 1): the last bits of a sum that has no others.
template <class Lanes>
[[gnu::always_inline]] constexpr auto nearest_whole(typename Lanes::held x) {
  using T = typename Lanes::number;
  using integers = typename Lanes::integers;
  constexpr T shift = T(3) * static_cast<T>(std::uint64_t{1} << (float_bits<T>::digits - 1));
  return std::bit_cast<integers>(x + shift) - std::bit_cast<typename one_lane<T>::integers>(shift);
}

/// x = n ln 2 + r with |r| <= ln(2)/2. NaN is not allowed, nor what e to the power of it is far from being a
/// number.
template <class Lanes>
struct reduced_exponent {
  using T = typename Lanes::number;
  using X = typename Lanes::held;
  typename Lanes::integers n;
  X r;
  [[gnu::always_inline]] explicit reduced_exponent(X x) {
    const X half = with_sign_of<Lanes>(Lanes::spread(T(0.5)), x);
    n = Lanes::whole_of(x * static_cast<T>(std::numbers::log2e) + half);
    const X number = Lanes::number_of(n);
    // ln 2 in two numbers; the first has so few digits that its multiples are exact
    if constexpr (sizeof(T) == 4) {
      r = (x - number * T(0.693359375)) - number * T(-2.12194440e-4);
    } else {
      r = (x - number * T(0.693145751953125)) - number * T(1.42860682030941723212e-6);
    }
  }
  /// e^r - 1.
  [[gnu::always_inline]] X power() const {
    if constexpr (sizeof(T) == 4) {  // a polynomial through Chebyshev's points
      // in pairs, which do not wait for each other
      const X square = r * r, high = r * T(1.9891017184e-4) + T(1.3933673733e-3),
              middle = r * T(8.3333109017e-3) + T(4.1666464711e-2),
              low = r * T(0.16666666682) + T(0.50000000135);
      return square * ((high * square + middle) * square + low) + r;
    } else {  // a rational function (Moshier's Cephes)
      const X square = r * r;
      const X odd =
          r * polynomial_of<Lanes>(square, 1.26177193074810590878e-4, 3.02994407707441961300e-2, 1.0);
      const X even = polynomial_of<Lanes>(square, 3.00198505138664455042e-6, 2.52448340349684104192e-3,
                                          2.27265548208155028766e-1, 2.0);
      return T(2) * (odd / (even - odd));
    }
  }
};

/// log(1 + f) + n ln 2.
template <class Lanes>
[[gnu::always_inline]] constexpr auto logarithm_of(typename Lanes::held f, typename Lanes::integers n) {
  using T = typename Lanes::number;
  using X = typename Lanes::held;
  const X square = f * f, number = Lanes::number_of(n);
  X rest;
  if constexpr (sizeof(T) == 4) {
    rest = f * square *
           polynomial_of<Lanes>(f, 7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1,
                                1.4249322787e-1, -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1,
                                3.3333331174e-1);
  } else {  // Moshier's Cephes
    rest =
        f * square *
        (polynomial_of<Lanes>(f, 1.01875663804580931796e-4, 4.97494994976747001425e-1,
                              4.70579119878881725854e0, 1.44989225341610930846e1, 1.79368678507819816313e1,
                              7.70838733755885391666e0) /
         polynomial_of<Lanes>(f, 1.0, 1.12873587189167450590e1, 4.52279145837532221105e1,
                              8.29875266912776603211e1, 7.11544750618563894466e1, 2.31251620126765340583e1));
  }
  rest += number * T(-2.121944400546905827679e-4);
  rest -= T(0.5) * square;
  return (f + rest) + number * T(0.693359375);
}

// Without branches, so that numbers and vectors have the same bits.

/// e^x.
template <class Lanes>
[[gnu::always_inline]] inline auto exponential_in(typename Lanes::held x) {
  using T = typename Lanes::number;
  using X = typename Lanes::held;
  // beyond, it is infinite or 0
  const X t = with_sign_of<Lanes>(limited_size<Lanes>(x, sizeof(T) == 4 ? T(104) : T(746)), x);
  const reduced_exponent<Lanes> e(t);
  const X result = scaled<Lanes>(T(1) + e.power(), e.n);
  return x == x ? result : x;
}
/// The logarithm; NaN below 0.
template <class Lanes>
[[gnu::always_inline]] inline auto logarithm_in(typename Lanes::held x) {
  using T = typename Lanes::number;
  using X = typename Lanes::held;
  using format = float_bits<T>;
  using bits = typename Lanes::bits;
  using integers = typename Lanes::integers;
  // x = f 2^n with f from sqrt(1/2) to sqrt(2)
  const auto is_small = x < std::numeric_limits<T>::min();
  const X large = x * static_cast<T>(std::uint64_t{2} << format::digits), y = is_small ? large : x;
  constexpr auto root = std::bit_cast<typename one_lane<T>::bits>(static_cast<T>(std::numbers::sqrt2 / 2));
  constexpr auto fraction = (typename one_lane<T>::bits{1} << format::digits) - 1;
  const bits from_root = std::bit_cast<bits>(y) - root;
  const integers exponent = std::bit_cast<integers>(from_root) >> format::digits;
  const integers n = is_small ? exponent - (format::digits + 1) : exponent;
  const X f = std::bit_cast<X>((from_root & fraction) + root) - T(1);
  const X result = logarithm_of<Lanes>(f, n);
  const X ordinary = x <= std::numeric_limits<T>::max() ? result : x;
  const X not_positive = x == T(0) ? Lanes::spread(-above_all<T>) : Lanes::spread(no_number<T>);
  return x > T(0) ? ordinary : not_positive;
}
/// The hyperbolic tangent of floats: a quotient of polynomials in s = x^2, within 2.3e-8, relatively, in
/// parts that do not wait for each other.
template <class Lanes>
[[gnu::always_inline]] inline auto tangent_of_floats(typename Lanes::held x) {
  using T = typename Lanes::number;
  using X = typename Lanes::held;
  constexpr bool in_vectors = Lanes::width > 1;
  constexpr T end = T(9.02);  // beyond, it is 1
  X size, s = x * x;          // x instead of its size where signs do not matter to what compares sizes
  if constexpr (Lanes::compares_sizes) {
    size = Lanes::of_smaller_size(x, Lanes::spread(end));
  } else {
    size = limited_size<Lanes>(x, end);
  }
  if constexpr (in_vectors) {
    s = at_most<Lanes>(s, end * end);  // NaN stays, and what follows is NaN
  } else {
    s = limited<Lanes>(s, end * end);  // less code
  }
  const X square = s * s;
  const X above = (square * size) * ((s * T(1.3381756701e-8) + T(2.0633798505e-5)) * s + T(3.4973259557e-3)) +
                  ((s * size) * T(0.13382573378) + size);
  const X below = square * ((s * T(7.7891548439e-7) + T(3.2883081250e-4)) * s + T(2.5883850605e-2)) +
                  (s * T(0.46715894494) + T(1));
  // rounding takes the quotient beyond 1
  if constexpr (Lanes::compares_sizes) {
    return above / Lanes::larger_size(above, below);
  } else {
    const X divisor = above < below ? below : above, with_sign = with_sign_of<Lanes>(above, x);
    if constexpr (in_vectors) {
      return with_sign / divisor;
    } else {
      return (x == x ? with_sign : x) / divisor;
    }
  }
}
/// And of doubles. With |x| = n ln(2)/2 + h, where tanh(h) = odd / even, it is
/// ((2^n + 1) odd + (2^n - 1) even) / ((2^n - 1) odd + (2^n + 1) even).
template <class Lanes>
[[gnu::always_inline]] inline auto tangent_of_doubles(typename Lanes::held x) {
  using T = typename Lanes::number;
  using X = typename Lanes::held;
  const X size = limited_size<Lanes>(x, T(20));
  const auto n = nearest_whole<Lanes>(size * static_cast<T>(2 * std::numbers::log2e));
  // the tangent grows less than its argument, so that it hides what h loses where n is above 2
  const X h = size - Lanes::number_of(n) * static_cast<T>(std::numbers::ln2 / 2), square = h * h;
  // odd = h + h square p, even = 1 + square q: Lambert's continued fraction (1768), within 7e-19
  const X p = polynomial_of<Lanes>(square, 1.0 / 495, 4.0 / 33),
          q = polynomial_of<Lanes>(square, 1.0 / 10395, 2.0 / 99, 5.0 / 11);
  const X power = power_of_two<Lanes>(n), more = power + T(1), less = power - T(1);
  // sums that do not wait for each other: first what is large
  const X above = square * (h * (more * p) + less * q) + (h * more + less);
  const X below = above + (square * ((q + q) - h * (p + p)) + (T(2) - (h + h)));
  const X with_sign = with_sign_of<Lanes>(above, x);
  return (x == x ? with_sign : x) / below;
}
template <class Lanes>
[[gnu::always_inline]] inline auto hyperbolic_tangent_in(typename Lanes::held x) {
  if constexpr (sizeof(typename Lanes::number) == 4) {
    return tangent_of_floats<Lanes>(x);
  } else {
    return tangent_of_doubles<Lanes>(x);
  }
}

template <class T>
T exponential(T x) {
  return exponential_in<one_lane<T>>(x);
}
template <class T>
T logarithm(T x) {
  return logarithm_in<one_lane<T>>(x);
}
template <class T>
T hyperbolic_tangent(T x) {
  return hyperbolic_tangent_in<one_lane<T>>(x);
}

}  // namespace tapeless::bare_kernels::detail
