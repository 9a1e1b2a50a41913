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
#include <tapeless/run/bare/bare_exponential.hpp>
#include <tapeless/run/bare/bare_number.hpp>
#include <tapeless/run/bare/bare_vectors.hpp>
#include <tapeless/run/bare/square_root.hpp>

namespace tapeless::bare_kernels {

namespace detail {

/// x rounded to a whole number, ties to even; |x| is below 2^(digits - 1).
template <class T>
constexpr T whole(T x) {
  constexpr T shift = T(3) * static_cast<T>(std::uint64_t{1} << (float_bits<T>::digits - 1));
  const volatile T sum = x + shift;  // a compiler that may reorder would take the shift away again
  return sum - shift;
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
  if (!(rest <= most) || !(divisor > T(0))) return bare_number<T>(no_number<T>);
  if (rest < divisor) return a;  // also -0
  while (rest >= divisor) {
    T part = divisor;
    while (part <= rest - part) part *= T(2);  // half of rest may be rounded
    rest -= part;
  }
  return bare_number<T>(a.x < T(0) ? -rest : rest);
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
  if (x != x || y != y) return bare_number<T>(no_number<T>);
  const bool is_whole = detail::without_fraction(y) == y;
  const bool is_odd = is_whole && detail::without_fraction(y * 0.5) != y * 0.5;
  const double size = x < 0 ? -x : x;
  double result;
  if (size == 0 || size > std::numeric_limits<double>::max()) {
    result = (size == 0) == (y < 0) ? above_all<double> : 0;
  } else {
    result = size == 1 ? 1 : detail::exponential(y * detail::logarithm(size));  // y may be infinite
  }
  const bool is_negative = x < 0 || (x == 0 && std::bit_cast<std::int64_t>(x) < 0);
  if (is_negative && x != 0 && !is_whole && size <= std::numeric_limits<double>::max())
    return bare_number<T>(no_number<T>);
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
