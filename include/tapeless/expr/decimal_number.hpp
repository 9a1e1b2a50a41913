// SPDX-License-Identifier: BSL-1.0
// decimal_number: the double that is nearest to a decimal literal, of two equally near ones the even one: the
// bits that the compiler gives the same characters.
#pragma once

#include <bit>
#include <cstdint>

namespace tapeless::detail {

/// A whole number of up to 3840 bits. No quotient below needs more, see `decimal::kept`.
struct long_whole {
  std::uint32_t words[120] = {};
  int used = 0;

  constexpr void multiply_add(std::uint32_t factor, std::uint32_t summand) {
    std::uint64_t carry = summand;
    for (int i = 0; i < used; ++i, carry >>= 32) {
      carry += std::uint64_t{words[i]} * factor;
      words[i] = static_cast<std::uint32_t>(carry);
    }
    if (carry != 0) words[used++] = static_cast<std::uint32_t>(carry);
  }
  constexpr void multiply_by_power(std::uint32_t base, int exponent) {
    for (; exponent > 0; --exponent) {
      std::uint32_t factor = base;
      for (; exponent > 1 && factor <= 0xffffffffu / base; --exponent) factor *= base;
      multiply_add(factor, 0);
    }
  }
  constexpr int bits() const { return used == 0 ? 0 : 32 * used - std::countl_zero(words[used - 1]); }
  constexpr bool is_below(const long_whole& other) const {
    if (used != other.used) return used < other.used;
    int i = used - 1;
    while (i > 0 && words[i] == other.words[i]) --i;
    return i >= 0 && words[i] < other.words[i];
  }
  constexpr void subtract(const long_whole& smaller) {
    std::uint64_t borrowed = 0;
    for (int i = 0; i < used; ++i) {
      const std::uint64_t less = borrowed + (i < smaller.used ? smaller.words[i] : 0);
      borrowed = words[i] < less;
      words[i] -= static_cast<std::uint32_t>(less);
    }
    while (used > 0 && words[used - 1] == 0) --used;
  }
};

/// The bits of numerator / denominator as a double, which are those of infinity where it is too large.
constexpr std::uint64_t rounded_quotient(long_whole& numerator, long_whole& denominator) {
  int exponent = numerator.bits() - denominator.bits();
  numerator.multiply_by_power(2, -exponent);
  denominator.multiply_by_power(2, exponent);
  if (numerator.is_below(denominator)) {
    numerator.multiply_add(2, 0);
    --exponent;
  }
  // Now the quotient is 2^exponent times a number in [1, 2).
  if (exponent > 1023) return 0x7ff0000000000000u;
  const int digits = exponent < -1022 ? exponent + 1075 : 53;
  if (digits < 0) return 0;
  std::uint64_t significand = 0;
  for (int i = 0; i < digits; ++i) {
    significand *= 2;
    if (!numerator.is_below(denominator)) {
      numerator.subtract(denominator);
      ++significand;
    }
    numerator.multiply_add(2, 0);
  }
  const bool above_half = denominator.is_below(numerator),
             is_half = !above_half && !numerator.is_below(denominator);
  if (above_half || (is_half && significand % 2 == 1)) ++significand;
  // A significand that was rounded up to the next power of two carries into the exponent.
  return significand + (exponent < -1022 ? 0 : static_cast<std::uint64_t>(exponent + 1022) << 52);
}

/// What a literal's characters say: its digits as a whole number, and the power of ten.
struct decimal {
  /// No double, and no middle of two, has more digits, so what comes behind counts only as not being zero.
  static constexpr int kept = 800;
  const char* characters;
  int size, digits = 0, exponent = 0, end = 0;  // `digits` without zeros in front; `end` of those
  std::uint64_t leading = 0;                    // the first 15 digits

  constexpr decimal(const char* all, int count) : characters(all), size(count) {
    bool after_point = false;
    for (; end < size && all[end] != 'e' && all[end] != 'E'; ++end) {
      if (all[end] == '.') after_point = true;
      if (all[end] < '0') continue;
      if (after_point) --exponent;
      if (digits > 0 || all[end] != '0') ++digits;
      if (digits <= 15) leading = 10 * leading + static_cast<std::uint64_t>(all[end] - '0');
    }
    int written = 0;
    bool negative = false;
    for (int i = end + 1; i < size; ++i) {
      if (all[i] == '-') negative = true;
      if (all[i] >= '0' && written < 100'000'000) written = 10 * written + (all[i] - '0');
    }
    exponent += negative ? -written : written;
  }
  constexpr std::uint64_t bits() const {
    const int magnitude = digits + exponent;  // below 10^magnitude
    if (digits == 0 || magnitude < -330) return 0;
    if (magnitude > 310) return 0x7ff0000000000000u;
    long_whole numerator, denominator{{1}, 1};
    int taken = 0;
    bool rest = false;
    for (int i = 0; i < end; ++i) {
      if (characters[i] < '0' || (taken == 0 && characters[i] == '0')) continue;
      const auto digit = static_cast<std::uint32_t>(characters[i] - '0');
      if (taken < kept) {
        numerator.multiply_add(10, digit);
        ++taken;
      } else if (digit != 0) {
        rest = true;
      }
    }
    if (rest) numerator.multiply_add(10, 1);
    const int power = exponent + digits - taken - (rest ? 1 : 0);
    numerator.multiply_by_power(10, power);
    denominator.multiply_by_power(10, -power);
    return rounded_quotient(numerator, denominator);
  }
};

/// The double of a decimal literal: digits, at most one point, an exponent, separators. Infinity where it is
/// too large.
constexpr double decimal_number(const char* characters, int count) {
  const decimal d(characters, count);
  const int size = d.exponent < 0 ? -d.exponent : d.exponent;
  if (d.digits > 15 || size > 22) return std::bit_cast<double>(d.bits());
  double power = 1;  // exact, as the digits are: one rounding is left
  for (int i = 0; i < size; ++i) power *= 10;
  const auto whole = static_cast<double>(d.leading);
  return d.exponent < 0 ? whole / power : whole * power;
}

}  // namespace tapeless::detail
