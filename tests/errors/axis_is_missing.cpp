// SPDX-License-Identifier: BSL-1.0
// An operation that needs an axis, without one.
// both compilers
// lines: 20
// expect: the axis is a template argument, as in tl::concat<0>(a, b)
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: ambiguous
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 5, 3>;
#ifdef CORRECTED
  return tl::outputs(tl::named<"y">(tl::concat<0>(x, x)));
#else
  return tl::outputs(tl::named<"y">(tl::concat(x, x)));
#endif
};

int main() { tl::function f{model}; }
