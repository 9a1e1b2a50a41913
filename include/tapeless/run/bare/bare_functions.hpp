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
#include <tapeless/run/bare/square_root.hpp>

namespace tapeless::bare_kernels {

namespace detail {

template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T no_number = std::numeric_limits<T>::quiet_NaN();

/// 2^n, where that is a normal number.
template <class T>
constexpr T power_of_two(int n) {
  using format = float_bits<T>;
  return std::bit_cast<T>(static_cast<typename format::type>(n + format::bias) << format::digits);
}
/// x 2^n, rounded once where that is subnormal; for an x near 1.
template <class T>
constexpr T scaled(T x, int n) {
  const int half = n / 2;
  return x * power_of_two<T>(half) * power_of_two<T>(n - half);
}

/// sum_i c_i x^i, the highest first.
template <class T, class... C>
constexpr T polynomial(T x, double highest, C... lower) {
  T sum = static_cast<T>(highest);
  ((sum = sum * x + static_cast<T>(lower)), ...);
  return sum;
}

/// x rounded to a whole number, ties to even; |x| is below 2^(digits - 1).
template <class T>
constexpr T whole(T x) {
  constexpr T shift = T(3) * static_cast<T>(std::uint64_t{1} << (float_bits<T>::digits - 1));
  const volatile T sum = x + shift;  // a compiler that may reorder would take the shift away again
  return sum - shift;
}

/// x = n ln 2 + r with |r| <= ln(2)/2.
template <class T>
struct reduced_exponent {
  int n;
  T r;
  explicit reduced_exponent(T x) {
    n = static_cast<int>(x * static_cast<T>(std::numbers::log2e) + (x < T(0) ? T(-0.5) : T(0.5)));
    const T number = static_cast<T>(n);
    // ln 2 in two numbers; the first has so few digits that its multiples are exact
    if constexpr (sizeof(T) == 4) {
      r = (x - number * T(0.693359375)) - number * T(-2.12194440e-4);
    } else {
      r = (x - number * T(0.693145751953125)) - number * T(1.42860682030941723212e-6);
    }
  }
  /// e^r - 1.
  T power() const {
    if constexpr (sizeof(T) == 4) {  // a polynomial through Chebyshev's points
      return r * r *
                 polynomial(r, 1.9891017184e-4, 1.3933673733e-3, 8.3333109017e-3, 4.1666464711e-2,
                            0.16666666682, 0.50000000135) +
             r;
    } else {  // a rational function (Moshier's Cephes)
      const T square = r * r;
      const T odd = r * polynomial(square, 1.26177193074810590878e-4, 3.02994407707441961300e-2, 1.0);
      const T even = polynomial(square, 3.00198505138664455042e-6, 2.52448340349684104192e-3,
                                2.27265548208155028766e-1, 2.0);
      return T(2) * (odd / (even - odd));
    }
  }
};

/// x = f 2^n with f from sqrt(1/2) to sqrt(2); x is positive and finite. Returns f - 1.
template <class T>
constexpr T reduced_logarithm(T x, int& n) {
  using format = float_bits<T>;
  using bits = typename format::type;
  n = 0;
  if (x < std::numeric_limits<T>::min()) {
    x *= power_of_two<T>(format::digits + 1);
    n = -format::digits - 1;
  }
  constexpr bits root = std::bit_cast<bits>(static_cast<T>(std::numbers::sqrt2 / 2));
  const bits from_root = std::bit_cast<bits>(x) - root;
  n += static_cast<int>(static_cast<std::make_signed_t<bits>>(from_root) >> format::digits);
  return std::bit_cast<T>((from_root & ((bits{1} << format::digits) - 1)) + root) - T(1);
}

/// log(1 + f) + n ln 2.
template <class T>
constexpr T logarithm_of(T f, int n) {
  const T square = f * f, number = static_cast<T>(n);
  T rest;
  if constexpr (sizeof(T) == 4) {
    rest = f * square *
           polynomial(f, 7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1,
                      1.4249322787e-1, -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1);
  } else {  // Moshier's Cephes
    rest = f * square *
           (polynomial(f, 1.01875663804580931796e-4, 4.97494994976747001425e-1, 4.70579119878881725854e0,
                       1.44989225341610930846e1, 1.79368678507819816313e1, 7.70838733755885391666e0) /
            polynomial(f, 1.0, 1.12873587189167450590e1, 4.52279145837532221105e1, 8.29875266912776603211e1,
                       7.11544750618563894466e1, 2.31251620126765340583e1));
  }
  rest += number * T(-2.121944400546905827679e-4);
  rest -= T(0.5) * square;
  return (f + rest) + number * T(0.693359375);
}

template <class T>
T exponential(T x) {
  if (x != x) return x;
  constexpr T above = sizeof(T) == 4 ? T(89) : T(710), below = sizeof(T) == 4 ? T(-104) : T(-746);
  if (x > above) return infinity<T>;
  if (x < below) return T(0);
  const reduced_exponent<T> e(x);
  return scaled(T(1) + e.power(), e.n);
}
template <class T>
T logarithm(T x) {
  if (!(x > T(0))) return x == T(0) ? -infinity<T> : no_number<T>;
  if (x > std::numeric_limits<T>::max()) return x;
  int n = 0;
  const T f = reduced_logarithm(x, n);
  return logarithm_of(f, n);
}
/// (e^2|x| - 1) / (e^2|x| + 1) with the sign of x.
template <class T>
T hyperbolic_tangent(T x) {
  const T size = x < T(0) ? -x : x;
  constexpr T end = sizeof(T) == 4 ? T(10) : T(20);
  const reduced_exponent<T> e(T(2) * (size < end ? size : end));
  const T power = power_of_two<T>(e.n), above_one = power * e.power() + (power - T(1));
  const T result = above_one / (above_one + T(2));
  return x != x ? x : x < T(0) ? -result : x == T(0) ? x : result;
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
  using bits = typename detail::float_bits<T>::type;
  return bare_number<T>(std::bit_cast<T>(std::bit_cast<bits>(a.x) & (~bits{0} >> 1)));
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
  return bare_number<T>(
      detail::scaled(detail::exponential((x - n) * std::numbers::ln2), static_cast<int>(n)));
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
