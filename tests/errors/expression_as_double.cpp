// SPDX-License-Identifier: BSL-1.0
// An expression for a number of another type than its elements': the compiler shows the line that
// says why not.
// both compilers
// lines: 20
// expect: no number while the model is written: make it an output
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  auto loss = tl::mean(tl::square(x));
#else
  double loss = tl::mean(tl::square(x));
#endif
  (void)loss;
  return tl::mean(x);
};

int main() { tl::function f{model}; }
