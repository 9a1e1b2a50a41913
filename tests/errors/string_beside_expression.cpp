// SPDX-License-Identifier: BSL-1.0
// The name of an input in its place.
// both compilers
// lines: 20
// first: +: a string stands next to an expression: write tl::input<"y", float, 8> for what the program gives,
// expect: +: a string stands next to an expression: write tl::input<"y", float, 8> for what the program gives, tl::param<"y", float, 8> for what it learns
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  return tl::mean(x + tl::input<"y", float, 8, 4>);
#else
  return tl::mean(x + "y");
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
