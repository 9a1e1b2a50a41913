// SPDX-License-Identifier: BSL-1.0
// Characters as the C library reads them: random ones, the exact digits of doubles, the middles between two
// of them, and what is just beside these.
#include "catch.hpp"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include <tapeless/expr/decimal_number.hpp>

namespace {

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

void compare(const std::string& characters) {
  INFO(characters);
  const double read =
      tapeless::detail::decimal_number(characters.data(), static_cast<int>(characters.size()));
  REQUIRE(bits_of(read) == bits_of(std::strtod(characters.c_str(), nullptr)));
}

/// All digits of a number of 64 bits or fewer.
std::string written(long double x) {
  char room[1300];
  std::snprintf(room, sizeof(room), "%.1200Le", x);
  return room;
}

}  // namespace

TEST_CASE("decimal numbers are the nearest doubles") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string characters;
    const int digits = 1 + static_cast<int>(random() % 40), point = static_cast<int>(random() % 41);
    for (int j = 0; j < digits; ++j) {
      if (j == point) characters += '.';
      characters += static_cast<char>('0' + random() % (i % 2 == 0 ? 10 : 2));
    }
    compare(characters);
    compare(characters + "e" + std::to_string(static_cast<int>(random() % 700) - 370));
  }
}

TEST_CASE("middles of two doubles become the even one, and what is beside them the nearer one") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 600; ++i) {
    std::uint64_t bits = random() >> 1;
    if (i % 3 == 0) bits >>= 11;               // subnormal
    if (i % 7 == 0) bits |= 0xfffffffffffffu;  // carries into the exponent
    if (bits >= 0x7fefffffffffffffu) bits >>= 1;
    const double x = std::bit_cast<double>(bits), next = std::bit_cast<double>(bits + 1);
    compare(written(x));
    if constexpr (std::numeric_limits<long double>::digits >= 64) {
      std::string middle = written((static_cast<long double>(x) + next) / 2);
      compare(middle);
      const std::size_t exponent = middle.find('e');
      compare(middle.substr(0, exponent) + "1" + middle.substr(exponent));
      std::size_t last = middle.find_last_not_of('0', exponent - 1);
      if (middle[last] != '.') --middle[last];
      compare(middle.substr(0, exponent) + "9" + middle.substr(exponent));
    }
  }
}

TEST_CASE("decimal numbers at the ends of the doubles") {
  for (const char* characters :
       {"0", "0e5", "0.000e-400", "5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400",
        "1e-99999999999", "0e99999999999", "1.7976931348623157e308", "1.7976931348623158e308",
        "1.7976931348623159e308", "1e309", "1e99999999999", "9007199254740993", "12.e-1", ".5"})
    compare(characters);
  compare(std::string(400, '0') + "." + std::string(400, '0') + "1e401");
  compare("1" + std::string(400, '0') + "e-400");
  compare("0." + std::string(999, '0') + "123456789012345678e1000");
}
