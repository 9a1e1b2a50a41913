// SPDX-License-Identifier: BSL-1.0
// Functions of numbers without a C library. The same bits on every machine that rounds as IEEE 754 has it, if
// the compiler does not contract a b + c (-ffp-contract=off). Errors in units of the last place, float and
// double: tests/run/bare/bare_functions.cpp holds them.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <numbers>

#include <tapeless/ops/base/scalar.hpp>
#include <tapeless/run/bare/bare_number.hpp>
#include <tapeless/run/bare/bare_vectors.hpp>
#include <tapeless/run/bare/square_root.hpp>

namespace tapeless::bare_kernels {

namespace detail {

template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T no_number = std::numeric_limits<T>::quiet_NaN();

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

/// The size of x, at most the limit; that of NaN is the limit. Numbers that are not negative have the order
/// of their bits, and compilers know the smaller of two integers, in vectors too, by `<=`.
template <class Lanes>
[[gnu::always_inline]] inline auto limited_size(typename Lanes::held x, typename Lanes::number limit) {
  using integers = typename Lanes::integers;
  const auto size = std::bit_cast<integers>(size_of_numbers<Lanes>(x));
  const integers most =
      integers{} + std::bit_cast<typename one_lane<typename Lanes::number>::integers>(limit);
  return std::bit_cast<typename Lanes::held>(size <= most ? size : most);
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

/// x rounded to a whole number, ties to even; |x| is below 2^(digits - 1).
template <class T>
constexpr T whole(T x) {
  constexpr T shift = T(3) * static_cast<T>(std::uint64_t{1} << (float_bits<T>::digits - 1));
  const volatile T sum = x + shift;  // a compiler that may reorder would take the shift away again
  return sum - shift;
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
  const X not_positive = x == T(0) ? Lanes::spread(-infinity<T>) : Lanes::spread(no_number<T>);
  return x > T(0) ? ordinary : not_positive;
}
/// The hyperbolic tangent. With |x| = n ln(2)/2 + h, where tanh(h) = odd / even:
/// ((2^n + 1) odd + (2^n - 1) even) / ((2^n - 1) odd + (2^n + 1) even), the only division.
template <class Lanes>
[[gnu::always_inline]] inline auto hyperbolic_tangent_in(typename Lanes::held x) {
  using T = typename Lanes::number;
  using X = typename Lanes::held;
  const X size = limited_size<Lanes>(x, sizeof(T) == 4 ? T(10) : T(20));
  const auto n = nearest_whole<Lanes>(size * static_cast<T>(2 * std::numbers::log2e));
  // the tangent grows less than its argument, so that it hides what h loses where n is above 2
  const X h = size - Lanes::number_of(n) * static_cast<T>(std::numbers::ln2 / 2), square = h * h;
  // odd = h + h square p, even = 1 + square q
  X p, q;
  if constexpr (sizeof(T) == 4) {  // within 8e-10, relatively
    p = Lanes::spread(T(0.0665856425));
    q = Lanes::spread(T(0.399918724));
  } else {  // Lambert's continued fraction (1768), within 7e-19
    p = polynomial_of<Lanes>(square, 1.0 / 495, 4.0 / 33);
    q = polynomial_of<Lanes>(square, 1.0 / 10395, 2.0 / 99, 5.0 / 11);
  }
  const X power = power_of_two<Lanes>(n), more = power + T(1), less = power - T(1);
  // sums that do not wait for each other: first what is large
  const X above = square * (h * (more * p) + less * q) + (h * more + less);
  const X rest = square * ((q + q) - h * (p + p)) + (T(2) - (h + h));
  const X result = with_sign_of<Lanes>(above / (above + rest), x);
  return x == x ? result : x;
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
/// For |x| below 2^20; the angle is reduced in double.
inline double reduced_angle(double x, int& quarter) {
  const double n = whole(x * (2 * std::numbers::inv_pi));
  quarter = static_cast<int>(static_cast<std::int64_t>(n) & 3);
  return (x - n * 1.57079632673412561417) - n * 6.07710050650619224932e-11;
}
inline double sine_near(double r) {
  const double s = r * r;
  return r + r * s *
                 polynomial(s, 1.58962301576546568060e-10, -2.50507477628578072866e-8,
                            2.75573136213857245213e-6, -1.98412698295895385996e-4, 8.33333333332211858878e-3,
                            -1.66666666666666307295e-1);
}
inline double cosine_near(double r) {
  const double s = r * r;
  return 1 - 0.5 * s +
         s * s *
             polynomial(s, -1.13585365213876817300e-11, 2.08757008419747316778e-9, -2.75573141792967388112e-7,
                        2.48015872888517045348e-5, -1.38888888888730564116e-3, 4.16666666666665929218e-2);
}
/// sin(x + turned pi/2).
inline double wave(double x, int turned) {
  if (!(x > -0x1p20 && x < 0x1p20)) return no_number<double>;
  int quarter = 0;
  const double r = reduced_angle(x, quarter);
  const int place = (quarter + turned) & 3;
  const double size = (place & 1) == 0 ? sine_near(r) : cosine_near(r);
  return (place & 2) == 0 ? size : -size;
}

/// Numbers beyond have no fraction.
template <class T>
constexpr bool is_whole_number(T x) {
  constexpr T end = static_cast<T>(std::uint64_t{1} << float_bits<T>::digits);
  return !(x > -end && x < end);
}
template <class T>
constexpr T without_fraction(T x) {
  if (is_whole_number(x)) return x;
  const T cut = static_cast<T>(static_cast<std::int64_t>(x));
  return cut == T(0) && (x < T(0) || x == T(0)) ? x * T(0) : cut;  // keeps the sign of -0
}

}  // namespace detail

/// a b - product, exact where the product is a b rounded: always by halves, so that the bits are the same on
/// machines with and without a fused multiplication.
template <class T>
constexpr bare_number<T> product_error(bare_number<T> a, bare_number<T> b, bare_number<T> product) {
  return error_of_halves(a, b, product);
}
/// a - b trunc(a / b), without rounding: b is taken from a at all powers of 2, the highest first.
template <class T>
constexpr bare_number<T> remainder_of(bare_number<T> a, bare_number<T> b) {
  constexpr T most = std::numeric_limits<T>::max();
  const T divisor = b.x < T(0) ? -b.x : b.x;
  T rest = a.x < T(0) ? -a.x : a.x;
  if (!(rest <= most) || !(divisor > T(0))) return bare_number<T>(detail::no_number<T>);
  while (rest >= divisor) {
    T part = divisor;
    while (part <= rest / T(2)) part *= T(2);
    rest -= part;
  }
  const bool is_negative = a.x < T(0) || (a.x == T(0) && T(1) / a.x < T(0));
  return bare_number<T>(is_negative ? -rest : rest);
}
template <class T>
bare_number<T> abs(bare_number<T> a) {
  return bare_number<T>(detail::size_of_numbers<one_lane<T>>(a.x));
}
template <class T>
bare_number<T> sqrt(bare_number<T> a) {
  return bare_number<T>(square_root(a.x));
}
template <class T>
bare_number<T> exp(bare_number<T> a) {
  return bare_number<T>(detail::exponential(a.x));
}
template <class T>
bare_number<T> log(bare_number<T> a) {
  return bare_number<T>(detail::logarithm(a.x));
}
template <class T>
bare_number<T> tanh(bare_number<T> a) {
  return bare_number<T>(detail::hyperbolic_tangent(a.x));
}
/// e^x - 1 (Kahan): the error of e^x is taken out again by its logarithm.
template <class T>
bare_number<T> expm1(bare_number<T> a) {
  const T u = detail::exponential(a.x);
  if (u == T(1)) return a;
  const T minus = u - T(1);
  if (minus == T(-1) || u > std::numeric_limits<T>::max()) return bare_number<T>(minus);
  return bare_number<T>(minus * (a.x / detail::logarithm(u)));  // the product could overflow
}
/// log(1 + x), with what 1 + x has lost added again.
template <class T>
bare_number<T> log1p(bare_number<T> a) {
  const T u = T(1) + a.x;
  if (u == T(1)) return a;
  if (!(u > T(0)) || u > std::numeric_limits<T>::max()) return bare_number<T>(detail::logarithm(u));
  return bare_number<T>(detail::logarithm(u) - ((u - T(1)) - a.x) / u);
}
/// In double; the error is that of y log x, so |y log x| units of double's last place.
template <class T>
bare_number<T> pow(bare_number<T> a, bare_number<T> b) {
  const double x = static_cast<double>(a.x), y = static_cast<double>(b.x);
  if (y == 0 || x == 1) return bare_number<T>(1);
  if (x != x || y != y) return bare_number<T>(detail::no_number<T>);
  const bool is_whole = detail::without_fraction(y) == y;
  const bool is_odd = is_whole && detail::without_fraction(y * 0.5) != y * 0.5;
  const double size = x < 0 ? -x : x;
  double result;
  if (size == 0 || size > std::numeric_limits<double>::max()) {
    result = (size == 0) == (y < 0) ? detail::infinity<double> : 0;
  } else {
    result = detail::exponential(y * detail::logarithm(size));
  }
  const bool is_negative = x < 0 || (x == 0 && std::bit_cast<std::int64_t>(x) < 0);
  if (is_negative && x != 0 && !is_whole && size <= std::numeric_limits<double>::max())
    return bare_number<T>(detail::no_number<T>);
  return bare_number<T>(is_negative && is_odd ? -result : result);
}
template <class T>
bare_number<T> exp2(bare_number<T> a) {
  const double x = static_cast<double>(a.x);
  if (!(x > -1080 && x < 1030)) return bare_number<T>(detail::exponential(x));
  const double n = detail::whole(x);
  return bare_number<T>(detail::scaled<one_lane<double>>(detail::exponential((x - n) * std::numbers::ln2),
                                                         static_cast<int>(n)));
}
template <class T>
bare_number<T> log2(bare_number<T> a) {
  return bare_number<T>(detail::logarithm(static_cast<double>(a.x)) * std::numbers::log2e);
}
/// NaN beyond 2^20.
template <class T>
bare_number<T> sin(bare_number<T> a) {
  return a.x == T(0) ? a : bare_number<T>(detail::wave(static_cast<double>(a.x), 0));
}
template <class T>
bare_number<T> cos(bare_number<T> a) {
  return bare_number<T>(detail::wave(static_cast<double>(a.x), 1));
}
template <class T>
bare_number<T> trunc(bare_number<T> a) {
  return bare_number<T>(detail::without_fraction(a.x));
}
template <class T>
bare_number<T> floor(bare_number<T> a) {
  const T cut = detail::without_fraction(a.x);
  return bare_number<T>(cut > a.x ? cut - T(1) : cut);
}
template <class T>
bare_number<T> ceil(bare_number<T> a) {
  const T cut = detail::without_fraction(a.x);
  return bare_number<T>(cut < a.x ? cut + T(1) : cut);
}
template <class T>
bare_number<T> nearbyint(bare_number<T> a) {
  if (detail::is_whole_number(a.x)) return a;
  const T size = a.x < T(0) ? -a.x : a.x;
  constexpr T end = static_cast<T>(std::uint64_t{1} << (detail::float_bits<T>::digits - 1));
  T near = size;
  if (size < end) {
    near = detail::whole(size);
  } else {  // the only fraction is one half
    const T cut = detail::without_fraction(size);
    if (cut != size) near = cut + (detail::without_fraction(cut / T(2)) * T(2) == cut ? T(0) : T(1));
  }
  return bare_number<T>(a.x < T(0) || (a.x == T(0) && T(1) / a.x < T(0)) ? -near : near);
}

}  // namespace tapeless::bare_kernels
