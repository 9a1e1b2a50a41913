// SPDX-License-Identifier: BSL-1.0
// An expression that a loop gives another value.
// both compilers
// lines: 20
// first: an expression's type is its computation, so `h = tanh(h)` cannot change it: give each result a name
// expect: an expression's type is its computation, so `h = tanh(h)` cannot change it: give each result a name of
// expect: its own, or loop by tl::repeat<N>(h, body) or tl::scan<N>(h, body), which is compiled once
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto h = tl::linear<"fc", 4>(tl::input<"x", float, 8, 4>);
#ifdef CORRECTED
  auto y = tl::repeat<3>(h, []<int I>(auto x) { return tl::tanh(x); });
#else
  for (int i = 0; i < 3; ++i) h = tl::tanh(h);
  auto y = h;
#endif
  return tl::mean(y);
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
