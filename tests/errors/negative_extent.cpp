// SPDX-License-Identifier: BSL-1.0
// An extent of -1.
// both compilers
// lines: 20
// expect: the input "z" has the extent -1: extents are integers of 0 or more, or tl::dyn<"batch"> where one is known when the program runs
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#ifdef CORRECTED
  auto y = x + tl::input<"z", float, tl::dyn<"batch">, 3>;
#else
  auto y = x + tl::input<"z", float, -1, 3>;
#endif
  return tl::outputs(tl::named<"y">(tl::exp(y)));
};

int main() { tl::function f{model}; }
