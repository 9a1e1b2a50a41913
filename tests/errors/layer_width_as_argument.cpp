// SPDX-License-Identifier: BSL-1.0
// A layer's width as an argument of the function, without a name.
// both compilers
// lines: 20
// first: a layer has template arguments in this order, its name first: tl::linear<"fc1", 10>(x)
// expect: a layer has template arguments in this order, its name first: tl::linear<"fc1", 10>(x)
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  return tl::mean(tl::linear<"fc1", 10>(x));
#else
  return tl::mean(tl::linear(x, 10));
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
