// SPDX-License-Identifier: BSL-1.0
// Less usual functions of numbers without a C library, computed in double: for float all but rounded right,
// for double within some units of the last place.
#pragma once

#include <tapeless/run/bare/bare_functions.hpp>

namespace tapeless::bare_kernels {

namespace detail {

/// Moshier's Cephes.
inline double arc_tangent(double x) {
  const double size = x < 0 ? -x : x;
  double start = 0, lost = 0, t = size;
  if (size > 2.41421356237309504880) {
    start = std::numbers::pi / 2;
    lost = 6.123233995736765886130e-17;
    t = -1 / size;
  } else if (size > 0.66) {
    start = std::numbers::pi / 4;
    lost = 3.061616997868382943065e-17;
    t = (size - 1) / (size + 1);
  }
  const double s = t * t;
  const double ratio =
      polynomial(s, -8.750608600031904122785e-1, -1.615753718733365076637e1, -7.500855792314704667340e1,
                 -1.228866684490136173410e2, -6.485021904942025371773e1) /
      polynomial(s, 1.0, 2.485846490142306297962e1, 1.650270098316988542046e2, 4.328810604912902668951e2,
                 4.853903996359136964868e2, 1.945506571482613964425e2);
  const double angle = start + (t * s * ratio + t + lost);
  return x != x ? x : x < 0 ? -angle : angle;
}
inline double arc_sine(double x) {
  if (!(x >= -1 && x <= 1)) return no_number<double>;
  const double cosine = square_root((1 - x) * (1 + x));
  return cosine == 0 ? (x < 0 ? -1 : 1) * std::numbers::pi / 2 : arc_tangent(x / cosine);
}
inline double arc_cosine(double x) {
  if (!(x >= -1 && x <= 1)) return no_number<double>;
  return 2 * arc_tangent(square_root(1 - x) / square_root(1 + x));
}

/// 2 / sqrt(pi) e^-x^2 (x + 2 x^3 / 3 + 4 x^5 / 15 + ...), for |x| < 2.5: no term takes from another.
inline double error_near(double x) {
  double term = x, sum = x;
  for (int n = 1; n < 60 && term != 0; ++n) {
    term *= 2 * x * x / (2 * n + 1);
    sum += term;
  }
  return 2 * std::numbers::inv_sqrtpi * exponential(-x * x) * sum;
}
/// e^-x^2 / sqrt(pi) / (x + 1/2 / (x + 2/2 / (x + 3/2 / ...))), for x >= 2.5.
inline double error_beyond(double x) {
  double tail = x;
  for (int n = 60; n > 0; --n) tail = x + 0.5 * n / tail;
  return exponential(-x * x) * std::numbers::inv_sqrtpi / tail;
}
inline double error_function(double x) {
  if (x != x) return x;
  if (x > -2.5 && x < 2.5) return error_near(x);
  return x < 0 ? error_beyond(-x) - 1 : 1 - error_beyond(x);
}
inline double error_complement(double x) {
  if (x != x) return x;
  if (x > 1 && x < 2.5) {  // 1 - erf(x) would lose digits
    double tail = x;
    for (int n = 400; n > 0; --n) tail = x + 0.5 * n / tail;
    return exponential(-x * x) * std::numbers::inv_sqrtpi / tail;
  }
  if (x > -2.5 && x < 2.5) return 1 - error_near(x);
  return x < 0 ? 2 - error_beyond(-x) : error_beyond(x);
}

}  // namespace detail

template <class T>
bare_number<T> atan(bare_number<T> a) {
  return a.x == T(0) ? a : bare_number<T>(detail::arc_tangent(static_cast<double>(a.x)));
}
template <class T>
bare_number<T> asin(bare_number<T> a) {
  return a.x == T(0) ? a : bare_number<T>(detail::arc_sine(static_cast<double>(a.x)));
}
template <class T>
bare_number<T> acos(bare_number<T> a) {
  return bare_number<T>(detail::arc_cosine(static_cast<double>(a.x)));
}
/// The angle of (x, y); where one is zero or infinite, as IEEE 754 has it.
template <class T>
bare_number<T> atan2(bare_number<T> y, bare_number<T> x) {
  constexpr double most = std::numeric_limits<double>::max();
  const double up = static_cast<double>(y.x), right = static_cast<double>(x.x);
  if (up != up || right != right) return bare_number<T>(no_number<T>);
  const auto is_negative = [](double v) { return std::bit_cast<std::int64_t>(v) < 0; };
  double height = is_negative(up) ? -up : up, width = is_negative(right) ? -right : right;
  if (height > most && width > most) height = width = 1;
  double angle = height == 0 ? 0 : width == 0 ? std::numbers::pi / 2 : detail::arc_tangent(height / width);
  if (is_negative(right)) angle = std::numbers::pi - angle;
  return bare_number<T>(is_negative(up) ? -angle : angle);
}
/// NaN beyond 2^20.
template <class T>
bare_number<T> tan(bare_number<T> a) {
  if (a.x == T(0)) return a;
  const double x = static_cast<double>(a.x);
  return bare_number<T>(detail::wave(x, 0) / detail::wave(x, 1));
}
template <class T>
bare_number<T> sinh(bare_number<T> a) {
  const double x = static_cast<double>(a.x), size = x < 0 ? -x : x;
  if (x == 0) return a;
  double result;
  if (size > 700) {  // its half does not overflow yet
    const double half = detail::exponential(0.5 * size);
    result = 0.5 * half * half;
  } else {
    const double power = expm1(bare_number<double>(size)).x;
    result = 0.5 * (power + power / (power + 1));
  }
  return bare_number<T>(x < 0 ? -result : result);
}
template <class T>
bare_number<T> cosh(bare_number<T> a) {
  const double x = static_cast<double>(a.x), size = x < 0 ? -x : x;
  const double half = detail::exponential(0.5 * size);
  return bare_number<T>(size > 700 ? 0.5 * half * half : 0.5 * (half * half + 1 / (half * half)));
}
template <class T>
bare_number<T> erf(bare_number<T> a) {
  return a.x == T(0) ? a : bare_number<T>(detail::error_function(static_cast<double>(a.x)));
}
template <class T>
bare_number<T> erfc(bare_number<T> a) {
  return bare_number<T>(detail::error_complement(static_cast<double>(a.x)));
}

}  // namespace tapeless::bare_kernels
