// SPDX-License-Identifier: BSL-1.0
// The element types of 16 bits: numbers that are stored short and computed in float.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tapeless {

namespace detail {

// Without branches, so that loops over these become vector code. GPUs have an instruction for each.

constexpr std::uint16_t bf16_from_float(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if (!std::is_constant_evaluated()) {
    std::uint16_t on_gpu;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(on_gpu) : "f"(x));
    return on_gpu;
  }
#endif
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  const std::uint32_t quiet = bits >> 16 | 0x40u;
  return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
}

constexpr float float_from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

constexpr std::uint16_t f16_from_float(float x) {
#ifdef __CUDA_ARCH__
  if (!std::is_constant_evaluated()) {
    std::uint16_t on_gpu;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(on_gpu) : "f"(x));
    return on_gpu;
  }
#endif
  constexpr std::uint32_t infinity = 0x7f800000u, smallest_normal = 0x38800000u, beyond_largest = 0x47800000u;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x), sign = bits >> 16 & 0x8000u;
  const std::uint32_t size = bits & 0x7fffffffu;
  const std::uint32_t clamped = size < beyond_largest ? size : beyond_largest;
  const std::uint32_t normal = ((clamped + 0xfffu + (clamped >> 13 & 1u)) >> 13) - (112u << 10);
  // The unit in the last place of 0.5 is the smallest subnormal number: the sum is rounded to it.
  const std::uint32_t small = size < smallest_normal ? size : 0;
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(small) + 0.5f) - 0x3f000000u;
  const std::uint32_t quiet = 0x7e00u | (size >> 13 & 0x3ffu);
  return static_cast<std::uint16_t>(sign | (size > infinity          ? quiet
                                            : size < smallest_normal ? subnormal
                                                                     : normal));
}

constexpr float float_from_f16(std::uint16_t bits) {
#ifdef __CUDA_ARCH__
  if (!std::is_constant_evaluated()) {
    float on_gpu;
    asm("cvt.f32.f16 %0, %1;" : "=f"(on_gpu) : "h"(bits));
    return on_gpu;
  }
#endif
  const std::uint32_t sign = (bits & 0x8000u) << 16, size = bits & 0x7fffu;
  const float unscaled = static_cast<float>(static_cast<std::int32_t>(size & 0x3ffu));
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(unscaled * 0x1p-24f);
  const std::uint32_t normal = (size << 13) + (112u << 23), infinite = (size << 13) + (224u << 23);
  return std::bit_cast<float>(sign | (size < 0x400u ? subnormal : size < 0x7c00u ? normal : infinite));
}

}  // namespace detail

/// bfloat16: float's range with 8 bits of precision. A type for storage: it converts to float by itself and
/// from numbers where asked to, by way of float, each time rounded to nearest (ties to even); infinities and
/// NaN stay what they are. Programs compute in float and round what they store; what one pass over memory
/// computes and uses itself keeps float's precision, also behind cast<bf16>, unless that is of a number.
/// Reductions and products are added up in float.
struct bf16 {
  std::uint16_t bits;

  bf16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr explicit bf16(T x) : bits(detail::bf16_from_float(static_cast<float>(x))) {}
  constexpr operator float() const { return detail::float_from_bf16(bits); }
};

/// IEEE 754 binary16: 11 bits of precision, up to 65504, and subnormal numbers down to 2^-24. For the rest,
/// like bf16; larger numbers become infinite.
struct f16 {
  std::uint16_t bits;

  f16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr explicit f16(T x) : bits(detail::f16_from_float(static_cast<float>(x))) {}
  constexpr operator float() const { return detail::float_from_f16(bits); }
};

/// Whether T is one of the two.
template <class T>
inline constexpr bool is_16_bit = std::is_same_v<T, bf16> || std::is_same_v<T, f16>;

namespace detail {

template <class T, std::uint16_t One, std::uint16_t Min, std::uint16_t Max, std::uint16_t Infinity,
          std::uint16_t Nan, int Digits>
struct limits_of_16_bits {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr bool is_iec559 = true, is_bounded = true, is_modulo = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2, digits = Digits;
  static constexpr T min() { return of(Min); }
  static constexpr T max() { return of(Max); }
  static constexpr T lowest() { return of(Max | 0x8000u); }
  static constexpr T infinity() { return of(Infinity); }
  static constexpr T quiet_NaN() { return of(Nan); }
  static constexpr T denorm_min() { return of(1); }
  /// From 1 to the next number.
  static constexpr T epsilon() { return T(static_cast<float>(of(One + 1u)) - 1.0f); }

 private:
  static constexpr T of(unsigned bits) { return std::bit_cast<T>(static_cast<std::uint16_t>(bits)); }
};

}  // namespace detail

}  // namespace tapeless

template <>
struct std::numeric_limits<tapeless::bf16>
    : tapeless::detail::limits_of_16_bits<tapeless::bf16, 0x3f80, 0x0080, 0x7f7f, 0x7f80, 0x7fc0, 8> {};
template <>
struct std::numeric_limits<tapeless::f16>
    : tapeless::detail::limits_of_16_bits<tapeless::f16, 0x3c00, 0x0400, 0x7bff, 0x7c00, 0x7e00, 11> {};
