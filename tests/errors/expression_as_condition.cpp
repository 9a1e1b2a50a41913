// SPDX-License-Identifier: BSL-1.0
// An expression as the condition of an if.
// both compilers
// lines: 20
// first: an expression is neither true nor false while the model is written: tl::where(condition, a, b)
// expect: an expression is neither true nor false while the model is written: tl::where(condition, a, b) chooses
// expect: element by element, in place of if, ?: and while
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  auto y = tl::where(x > 0_c, x, 0_c);
#else
  if (x > 0_c) return x;
  auto y = x;
#endif
  return y;
};

int main() { tl::function f{model}; }
