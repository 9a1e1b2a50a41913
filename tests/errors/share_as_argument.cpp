// SPDX-License-Identifier: BSL-1.0
// Dropout's share as an argument.
// both compilers
// lines: 20
// expect: axes, extents and shares are template arguments, since they are known while compiling: tl::sum<1>(x)
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
  return tl::outputs(tl::named<"y">(tl::dropout<0.5>(x)));
#else
  return tl::outputs(tl::named<"y">(tl::dropout(x, 0.5)));
#endif
};

int main() { tl::function f{model}; }
