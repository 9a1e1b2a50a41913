// SPDX-License-Identifier: BSL-1.0
// Operands of concat as a list in braces.
// both compilers
// lines: 20
// expect: what is joined is given without braces, as arguments: tl::concat<1>(a, b), tl::stack<0>(a, b)
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#ifdef CORRECTED
  auto y = tl::concat<1>(x, x);
#else
  auto y = tl::concat<1>({x, x});
#endif
  return tl::outputs(tl::named<"y">(tl::exp(y)));
};

int main() { tl::function f{model}; }
