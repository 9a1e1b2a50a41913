// SPDX-License-Identifier: BSL-1.0
// Constants that the whole numbers next to them do not hold.
// expect: + got the constant 300 next to elements of the type std::uint8_t, which are from 0 to 255: tl::cast<std
// expect: * got the constant 3000000000 next to elements of the type std::int32_t, which are from -2147483648
// expect: < got the constant -1 next to elements of the type std::uint32_t, which are from 0 to 4294967295
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <cstdint>

#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto sum = [] {
  auto pixel = tl::input<"pixel", unsigned char, 2>;
#ifdef CORRECTED
  return pixel + 200_c;
#else
  return pixel + 300_c;
#endif
};

constexpr auto product = [] {
  auto i = tl::input<"i", int, 2>;
#ifdef CORRECTED
  return i * 2000000000_c;
#else
  return i * 3000000000_c;
#endif
};

constexpr auto comparison = [] {
  auto n = tl::input<"n", std::uint32_t, 2>;
#ifdef CORRECTED
  return n < 1_c;
#else
  return n < tl::constant<-1>;
#endif
};

int main() {
  tl::function f{sum};
  tl::function g{product};
  tl::function h{comparison};
}
