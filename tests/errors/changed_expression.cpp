// SPDX-License-Identifier: BSL-1.0
// An expression that += is to change.
// both compilers
// lines: 20
// first: an expression's type is its computation, so `h = tanh(h)` cannot change it: give each result a name
// expect: an expression's type is its computation, so `h = tanh(h)` cannot change it: give each result a name of
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  auto h = tl::linear<"fc", 4>(x);
#ifdef CORRECTED
  auto y = h + x;
#else
  h += x;
  auto y = h;
#endif
  return tl::mean(y);
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
