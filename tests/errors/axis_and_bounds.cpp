// SPDX-License-Identifier: BSL-1.0
// The bounds of a slice as arguments.
// lines: 20
// expect: axes, extents and shares are template arguments, since they are known while compiling
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#ifdef CORRECTED
  auto y = tl::slice<1, 0, 2>(x);
#else
  auto y = tl::slice<1>(x, 0, 2);
#endif
  return tl::outputs(tl::named<"y">(tl::exp(y)));
};

int main() { tl::function f{model}; }
