// SPDX-License-Identifier: BSL-1.0
// A function of std for an operation of the library.
// both compilers
// lines: 20
// first: an expression is no number while the model is written: use tl::exp, not std::exp, and so on; to see
// expect: an expression is no number while the model is written: use tl::exp, not std::exp, and so on; to see or
// expect: print its elements, make it an output and ask the result
#include <cmath>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto x = tl::input<"x", float, 8, 4>;

int main() {
#ifdef CORRECTED
  auto y = tl::exp(x);
#else
  auto y = std::exp(x);
#endif
  (void)y;
}
