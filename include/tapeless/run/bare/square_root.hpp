// SPDX-License-Identifier: BSL-1.0
// The square root, rounded as IEEE 754 has it: by the machine's instruction where there is one, else digit by
// digit. The C library's would set errno.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include <tapeless/graph/core/infinity.hpp>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tapeless::bare_kernels {

namespace detail {

/// A floating type as its bits.
template <class T>
struct float_bits;
template <>
struct float_bits<float> {
  using type = std::uint32_t;
  static constexpr int digits = 23, bias = 127;
};
template <>
struct float_bits<double> {
  using type = std::uint64_t;
  static constexpr int digits = 52, bias = 1023;
};

/// Digit by digit.
template <class T>
constexpr T root_by_digits(T x) {
  if (!(x > T(0)) || x > std::numeric_limits<T>::max())
    return x < T(0) ? no_number<T> : x;  // 0, -0, infinity and NaN are their own
  using format = float_bits<T>;
  using bits = typename format::type;
  constexpr bits one = bits{1} << format::digits;
  bits all = std::bit_cast<bits>(x);
  int exponent = static_cast<int>(all >> format::digits) - format::bias;
  bits rest = all & (one - 1);
  if (exponent == -format::bias) {  // subnormal
    for (++exponent; (rest & one) == 0; --exponent) rest <<= 1;
  } else {
    rest |= one;
  }
  if ((exponent & 1) != 0) {
    rest <<= 1;
    --exponent;
  }
  rest <<= 1;
  bits root = 0, sum = 0;
  for (bits digit = one << 1; digit != 0; digit >>= 1) {
    const bits next = sum + digit;
    if (next <= rest) {
      sum = next + digit;
      rest -= next;
      root += digit;
    }
    rest <<= 1;
  }
  if (rest != 0) root += root & 1;  // to the nearest; a tie cannot be
  const bits result = (root >> 1) + (static_cast<bits>((exponent >> 1) + format::bias - 1) << format::digits);
  return std::bit_cast<T>(result);
}

}  // namespace detail

/// x^(1/2), correctly rounded; NaN below 0.
inline float square_root(float x) {
#if defined(__NO_MATH_ERRNO__) && defined(__SSE2__)
  return __builtin_sqrtf(x);  // which GCC has in vectors, too
#elif defined(__clang__) && \
    (defined(__SSE2__) || defined(__aarch64__) || defined(__wasm__) || defined(__riscv_flen))
  return __builtin_elementwise_sqrt(x);
#elif defined(__SSE2__)
  return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
#elif defined(__aarch64__)
  float root;
  __asm__("fsqrt %s0, %s1" : "=w"(root) : "w"(x));
  return root;
#elif defined(__ARM_FP) && (__ARM_FP & 4)
  float root;
  __asm__("vsqrt.f32 %0, %1" : "=t"(root) : "t"(x));
  return root;
#elif defined(__riscv_flen) && __riscv_flen >= 32
  float root;
  __asm__("fsqrt.s %0, %1" : "=f"(root) : "f"(x));
  return root;
#else
  return detail::root_by_digits(x);
#endif
}
inline double square_root(double x) {
#if defined(__NO_MATH_ERRNO__) && defined(__SSE2__)
  return __builtin_sqrt(x);  // which GCC has in vectors, too
#elif defined(__clang__) && (defined(__SSE2__) || defined(__aarch64__) || defined(__wasm__))
  return __builtin_elementwise_sqrt(x);
#elif defined(__SSE2__)
  return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(x)));
#elif defined(__aarch64__)
  double root;
  __asm__("fsqrt %d0, %d1" : "=w"(root) : "w"(x));
  return root;
#elif defined(__ARM_FP) && (__ARM_FP & 8)
  double root;
  __asm__("vsqrt.f64 %P0, %P1" : "=w"(root) : "w"(x));
  return root;
#elif defined(__riscv_flen) && __riscv_flen >= 64
  double root;
  __asm__("fsqrt.d %0, %1" : "=f"(root) : "f"(x));
  return root;
#else
  return detail::root_by_digits(x);
#endif
}

}  // namespace tapeless::bare_kernels
