// SPDX-License-Identifier: BSL-1.0
// An expression for the number that it will compute.
// both compilers
// lines: 20
// first: an expression is no number while the model is written: use tl::exp, not std::exp, and so on
// expect: an expression is no number while the model is written: use tl::exp, not std::exp, and so on; to
// expect: see or print its elements, make it an output and ask the result
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  auto loss = tl::mean(tl::square(x));
#else
  float loss = tl::mean(tl::square(x));
#endif
  (void)loss;
  return tl::mean(x);
};

int main() { tl::function f{model}; }
