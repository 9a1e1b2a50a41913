// SPDX-License-Identifier: BSL-1.0
// decimal_number: the double that is nearest to a decimal literal, of two equally near ones the even one: the
// bits that the compiler gives the same characters.
#pragma once

#include <bit>
#include <cstdint>

namespace tapeless::detail {

/// A whole number of up to 3840 bits, which is enough for decimal_number's digits and powers.
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
    while (exponent > 0) {
      std::uint32_t factor = 1;
      for (; exponent > 0 && factor <= 0xffffffffu / base; --exponent) factor *= base;
      multiply_add(factor, 0);
    }
  }
  constexpr int bits() const { return used == 0 ? 0 : 32 * used - std::countl_zero(words[used - 1]); }
  /// Subtracts the other and returns true, unless it is larger.
  constexpr bool take(const long_whole& other) {
    long_whole rest;
    std::uint64_t borrowed = 0;
    for (int i = 0; i < used || i < other.used; ++i) {
      const std::uint64_t difference = std::uint64_t{words[i]} - other.words[i] - borrowed;
      rest.words[i] = static_cast<std::uint32_t>(difference);
      borrowed = difference >> 63;
      if (rest.words[i] != 0) rest.used = i + 1;
    }
    if (borrowed == 0) *this = rest;
    return borrowed == 0;
  }
};

/// The bits of numerator / denominator as a double, which are those of infinity where it is too large.
constexpr std::uint64_t rounded_quotient(long_whole numerator, long_whole denominator) {
  int exponent = numerator.bits() - denominator.bits();
  numerator.multiply_by_power(2, -exponent);
  denominator.multiply_by_power(2, exponent);
  bool bit = numerator.take(denominator);
  const auto next = [&] {
    numerator.multiply_add(2, 0);
    bit = numerator.take(denominator);
  };
  if (!bit) {
    next();
    --exponent;
  }
  // Now the quotient is 2^exponent times a number in [1, 2).
  if (exponent > 1023) return 0x7ff0000000000000u;
  const bool subnormal = exponent < -1022;
  std::uint64_t significand = 0;
  int digits = subnormal ? exponent + 1075 : 53;
  for (; digits > 0; --digits) {
    significand = 2 * significand + bit;
    next();
  }
  if (digits == 0 && bit && (numerator.used > 0 || significand % 2 == 1)) ++significand;
  // A significand that was rounded up to the next power of two carries into the exponent.
  return significand + (subnormal ? 0 : static_cast<std::uint64_t>(exponent + 1022) << 52);
}

/// The double of a decimal literal: digits, at most one point, an exponent, separators. Infinity where it is
/// too large.
constexpr double decimal_number(const char* characters, int count) {
  // No double, and no middle of two, has more digits: what comes behind counts only as not being zero.
  constexpr int kept = 800;
  int digits = 0, exponent = 0, written = 0, end = 0;  // of the digits, from the first that is not 0
  std::uint64_t leading = 0;                           // the first 15
  bool after_point = false, negative = false;
  for (; end < count && characters[end] != 'e' && characters[end] != 'E'; ++end) {
    const char c = characters[end];
    if (c == '.') after_point = true;
    if (c < '0') continue;
    if (after_point) --exponent;
    if (digits > 0 || c != '0') ++digits;
    if (digits <= 15) leading = 10 * leading + static_cast<std::uint64_t>(c - '0');
  }
  for (int i = end + 1; i < count; ++i) {
    if (characters[i] == '-') negative = true;
    if (characters[i] >= '0' && written < 100'000'000) written = 10 * written + (characters[i] - '0');
  }
  exponent += negative ? -written : written;
  if (const int size = exponent < 0 ? -exponent : exponent; digits <= 15 && size <= 22) {
    double power = 1;  // exact, as the digits are: one rounding is left
    for (int i = 0; i < size; ++i) power *= 10;
    const auto whole = static_cast<double>(leading);
    return exponent < 0 ? whole / power : whole * power;
  }
  if (digits == 0 || digits + exponent < -330) return 0;
  if (digits + exponent > 310) return std::bit_cast<double>(std::uint64_t{0x7ff0000000000000u});
  long_whole numerator, denominator{{1}, 1};
  exponent += digits;
  bool rest = false;
  for (int i = 0, taken = 0; i < end; ++i) {
    const char c = characters[i];
    if (c < '0' || (taken == 0 && c == '0')) continue;
    if (taken < kept) {
      numerator.multiply_add(10, static_cast<std::uint32_t>(c - '0'));
      ++taken;
      --exponent;
    } else if (c != '0') {
      rest = true;
    }
  }
  if (rest) {
    numerator.multiply_add(10, 1);
    --exponent;
  }
  numerator.multiply_by_power(10, exponent);
  denominator.multiply_by_power(10, -exponent);
  return std::bit_cast<double>(rounded_quotient(numerator, denominator));
}

}  // namespace tapeless::detail
