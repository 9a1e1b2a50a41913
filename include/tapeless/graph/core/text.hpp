// SPDX-License-Identifier: BSL-1.0
// A sentence that is put together while a program is compiled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace tapeless {

/// A sentence of at most `capacity` characters; longer ones end in "...".
struct text {
  static constexpr int capacity = 400;
  char characters[capacity + 1] = {};
  int size = 0;

  constexpr bool empty() const { return size == 0; }
  constexpr std::string_view view() const { return {characters, static_cast<std::size_t>(size)}; }

  constexpr text& operator<<(std::string_view more) {
    for (char c : more) append(c);
    return *this;
  }
  constexpr text& operator<<(const char* more) { return *this << std::string_view(more); }
  constexpr text& operator<<(std::int64_t number) {
    char digits[24] = {};
    int count = 0;
    const bool negative = number < 0;
    auto rest = negative ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    do {
      digits[count++] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (negative) append('-');
    while (count > 0) append(digits[--count]);
    return *this;
  }
  constexpr text& operator<<(int number) { return *this << static_cast<std::int64_t>(number); }
  /// As a literal: -0.1, 2, 1e-12; with nine digits behind the point at most, from a million on with three.
  constexpr text& operator<<(double number) {
    if (number != number) return *this << "NaN";
    if (number < 0) return *this << "-" << -number;
    if (number > std::numeric_limits<double>::max()) return *this << "infinity";
    if (number == 0 || (number >= 1e-6 && number < 1e12)) return append_decimal(number, number < 1e6 ? 9 : 3);
    int exponent = 0;
    for (; number >= 10; number /= 10) ++exponent;
    for (; number < 1; number *= 10) --exponent;
    if (number >= 10 - 5e-9) {  // is rounded to 10
      number = 1;
      ++exponent;
    }
    return append_decimal(number, 8) << "e" << exponent;
  }

 private:
  constexpr void append(char c) {
    if (size < capacity) {
      characters[size++] = c;
    } else {
      for (int i = 1; i <= 3; ++i) characters[capacity - i] = '.';
    }
  }
  constexpr text& append_decimal(double number, int digits) {
    std::int64_t unit = 1;
    for (int i = 0; i < digits; ++i) unit *= 10;
    const auto whole = static_cast<std::int64_t>(number);
    auto rest =
        static_cast<std::int64_t>((number - static_cast<double>(whole)) * static_cast<double>(unit) + 0.5);
    *this << whole + rest / unit;
    rest %= unit;
    if (rest != 0) append('.');
    for (; rest != 0; rest = rest * 10 % unit) append(static_cast<char>('0' + rest * 10 / unit));
    return *this;
  }
};

/// The same sentence in just the room that it takes, as a template argument.
template <int Size>
struct sentence {
  char characters[Size + 1] = {};

  constexpr const char* data() const { return characters; }
  constexpr std::size_t size() const { return Size; }
  constexpr std::string_view view() const { return {characters, size()}; }
};
template <std::size_t Room>
sentence(const char (&)[Room]) -> sentence<static_cast<int>(Room) - 1>;

}  // namespace tapeless
