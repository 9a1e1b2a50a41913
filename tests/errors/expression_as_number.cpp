// SPDX-License-Identifier: BSL-1.0
// An expression for the number that it will compute.
// both compilers
// lines-gnu: 21
// lines-clang: 20
// expect: no number while the model is written: make it an output
// expect-gnu: an expression is no number while the model is written: use tl::exp, not std::exp, and so on
// expect-gnu: to see or print its elements, make it an output and ask the result
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  auto loss = tl::mean(tl::square(x));
#else
  float loss = tl::mean(tl::square(x));
#endif
  return loss;
};

int main() { tl::function f{model}; }
