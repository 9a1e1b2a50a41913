// SPDX-License-Identifier: BSL-1.0
// A sentence that is put together while a program is compiled.
#pragma once

#include <cstddef>
#include <cstdint>
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
  /// In decimal, with six digits behind the point at most: -0.1, 2.
  constexpr text& operator<<(double number) {
    constexpr std::int64_t million = 1'000'000;
    if (number != number) return *this << "NaN";
    if (number < 0) return *this << "-" << -number;
    if (number >= 1e12) return *this << "more than 1e12";
    if (number > 0 && number < 1e-6) return *this << "less than 1e-6";
    const auto millionths = static_cast<std::int64_t>(number * million + 0.5);
    *this << millionths / million;
    std::int64_t rest = millionths % million;
    if (rest != 0) append('.');
    for (; rest != 0; rest = rest * 10 % million) append(static_cast<char>('0' + rest * 10 / million));
    return *this;
  }

 private:
  constexpr void append(char c) {
    if (size < capacity) {
      characters[size++] = c;
    } else {
      for (int i = 1; i <= 3; ++i) characters[capacity - i] = '.';
    }
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
