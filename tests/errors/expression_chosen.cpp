// SPDX-License-Identifier: BSL-1.0
// An expression as the condition of ?:, between two that differ.
// both compilers
// lines: 20
// first: an expression is neither true nor false while the model is written: tl::where(condition, a, b)
// expect: an expression is neither true nor false while the model is written: tl::where(condition, a, b) chooses
// expect: element by element, in place of if, ?: and while
// reject: is no model
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  return tl::where(x > 0_c, x, tl::tanh(x));
#else
  return x > 0_c ? x : tl::tanh(x);
#endif
};

int main() { tl::function f{model}; }
