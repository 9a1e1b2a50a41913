// SPDX-License-Identifier: BSL-1.0
// The few functions of numbers that the operations need and the standard library lacks. A policy has the
// same ones for its vectors of numbers.
#pragma once

#include <limits>
#include <type_traits>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/ops/base/integer_arithmetic.hpp>

namespace tapeless {

/// The number, of the first argument's type.
template <class T>
constexpr T number_like(T, double x) {
  return static_cast<T>(x);
}

/// The type of a number, or of a vector's numbers: only named, never called.
template <class T>
T element_number(T);

/// above_all, of the argument's type.
constexpr auto infinity_like(auto x) {
  using number = decltype(element_number(x));
  if constexpr (std::numeric_limits<number>::is_specialized) {
    return number_like(x, double{above_all<number>});
  } else {
    return number_like(x, std::numeric_limits<double>::infinity());
  }
}

template <class T>
constexpr T choose(bool condition, T a, T b) {
  return condition ? a : b;
}

/// -1, 0 or 1; NaN for NaN.
template <class T>
constexpr T sign_of(T x) {
  return x > T(0) ? T(1) : x < T(0) ? T(-1) : x;
}

/// The larger one; NaN if one is NaN.
template <class T>
constexpr T larger(T a, T b) {
  return a < b || b != b ? b : a;
}

/// The smaller one; NaN if one is NaN.
template <class T>
constexpr T smaller(T a, T b) {
  return b < a || b != b ? b : a;
}

/// max(x, 0); NaN for NaN.
template <class T>
constexpr T positive_part(T x) {
  return x < T(0) ? T(0) : x;
}

/// a - b*trunc(a/b), without rounding; of integers 0 where b is 0.
template <class T>
constexpr T remainder_of(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return detail::integer_remainder(a, b);
  } else {
    return std::fmod(a, b);
  }
}

/// The number without its fraction, as a whole one of type To: the nearest that there is for one that is too
/// large, the lowest for NaN. A cast of C++'s is undefined for these, and differs from one machine to
/// another.
template <class To, class T>
constexpr To whole_part(T x) {
  using limits = std::numeric_limits<To>;
  constexpr T end = static_cast<T>(limits::max() / 2 + 1) * T(2);  // the first that is too large
  if (x >= end) return limits::max();
  return x >= static_cast<T>(limits::lowest()) ? static_cast<To>(x) : limits::lowest();
}

/// a b + c, rounded once where that is no slower.
template <class T>
constexpr T multiply_add(T a, T b, T c) {
  return a * b + c;
}

/// a b - product, exact where the product is a b rounded: by halves of the digits (Dekker, 1971). |a| and |b|
/// must be so small that 2^27 times as much does not overflow.
constexpr auto error_of_halves(auto a, auto b, auto product) {
  using number = decltype(element_number(a));
  constexpr int digits = (std::numeric_limits<number>::digits + 1) / 2;
  const auto factor = number_like(a, static_cast<double>((1 << digits) + 1));
  const auto large_a = factor * a, high_a = large_a - (large_a - a), low_a = a - high_a;
  const auto large_b = factor * b, high_b = large_b - (large_b - b), low_b = b - high_b;
  return ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b;
}
template <class T>
constexpr T product_error(T a, T b, T product) {
#if defined(__FMA__) || defined(__FP_FAST_FMAF) || defined(__CUDA_ARCH__)
  return std::fma(a, b,
                  -product);  // where there is the instruction, compilers rearrange the halves to use it
#else
  return error_of_halves(a, b, product);
#endif
}

/// a / b within 2 ulp, where b, 1/b and a/b are normal numbers. A GPU's own quotient takes many more
/// instructions and a branch.
template <class T>
constexpr T near_quotient(T a, T b) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<T, float>) {
    if (!std::is_constant_evaluated()) {
      float quotient;
      asm("div.approx.ftz.f32 %0, %1, %2;" : "=f"(quotient) : "f"(a), "f"(b));
      return quotient;
    }
  }
#endif
  return a / b;
}

/// a b, rounded before anything else is done with it. A GPU's compiler makes one instruction of a product and
/// each sum that it is in, which rounds once.
template <class T>
constexpr T rounded_product(T a, T b) {
#ifdef __CUDA_ARCH__
  if (!std::is_constant_evaluated()) {
    T product = a;
    if constexpr (std::is_same_v<T, float>) {
      asm("mul.rn.f32 %0, %1, %2;" : "=f"(product) : "f"(a), "f"(b));
      return product;
    } else if constexpr (std::is_same_v<T, double>) {
      asm("mul.rn.f64 %0, %1, %2;" : "=d"(product) : "d"(a), "d"(b));
      return product;
    }
  }
#endif
  return a * b;
}

/// a + b - sum, exact where the sum is a + b rounded (Knuth, 1969). Where a or b is a product, it must be a
/// rounded_product.
constexpr auto sum_error(auto a, auto b, auto sum) {
  const auto part = sum - a;
  return (a - (sum - part)) + (b - part);
}

/// The part of a constant that is lost where it is rounded to x's type; `rest` is what its double has lost.
constexpr auto rest_like(auto x, double constant, double rest) {
  using number = decltype(element_number(x));
  return number_like(x, (constant - static_cast<double>(static_cast<number>(constant))) + rest);
}

/// x, or the limit where it is above (below); NaN for NaN.
template <class T>
constexpr T limited_above(T x, T limit) {
  return limit < x ? limit : x;
}
template <class T>
constexpr T limited_below(T x, T limit) {
  return x < limit ? limit : x;
}

/// e^t as a product of two numbers of which the first is not subnormal where e^t is, so that a multiple of
/// e^t need not be made of a subnormal number.
template <class X>
struct exponential {
  X mantissa, scale;

  explicit constexpr exponential(X t) {
    using std::exp;
    const auto end = number_like(t, -shift), zero = number_like(t, 0);
    mantissa = exp(t + choose(t < end, -end, zero));
    scale = choose(t < end, number_like(t, 1.5851259277110878e-28), number_like(t, 1));
  }
  constexpr X value() const { return mantissa * scale; }
  /// x e^t / mantissa.
  constexpr X scaled(X x) const { return x * scale; }

 private:
  // e^-shift is all but a float, and t + shift is exact
  static constexpr double shift = 64.01171875;
};
template <class T>
constexpr exponential<T> exponential_of(T t) {
  return exponential<T>(t);
}

namespace detail {

constexpr auto polynomial(auto t, double highest, auto... lower) {
  auto sum = number_like(t, highest);
  ((sum = multiply_add(sum, t, number_like(t, lower))), ...);
  return sum;
}

}  // namespace detail

/// From here on e^-t is 0, and t/2 times e^-t as well, in every type.
inline constexpr double exponential_end = 800;

/// x / (1 + e^-t); 0 where t is -infinity.
constexpr auto gated(auto x, auto t) {
  const auto power = exponential_of(limited_above(t, number_like(t, 40)));
  return power.scaled(x * (power.mantissa / (number_like(t, 1) + power.value())));
}

}  // namespace tapeless
