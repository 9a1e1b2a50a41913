// SPDX-License-Identifier: BSL-1.0
// Operators that numbers have and expressions have not.
// both compilers
// lines: 40
// first: expressions have no operators %, &, |, ^, ~, << and >>: tl::remainder(a, b), tl::bitwise_and(a, b),
// expect: expressions have no operators %, &, |, ^, ~, << and >>: tl::remainder(a, b), tl::bitwise_and(a, b),
// expect: tl::bitwise_left_shift(a, b) and so on, by <tapeless/operations.hpp>
// reject: no match
// reject: ambiguous
#include <tapeless/ops/pointwise.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto x = tl::input<"x", int, 8, 4>;

int main() {
#ifdef CORRECTED
  tl::bitwise_and(tl::remainder(x, 3_c), 1_c);
#else
  auto y = x % 3_c;
  auto z = 3 ^ y;
  z << 1;
#endif
}
