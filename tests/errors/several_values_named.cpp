// SPDX-License-Identifier: BSL-1.0
// A name for several values at once.
// both compilers
// lines: 40
// expect: named takes one value, but got several, or something else: tl::named<"y">(tl::sort<0>(x).values), or
// expect: auto [y, h, c] = tl::lstm<"l", 5>(x)
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/ops/indexing.hpp>
#include <tapeless/ops/recurrent.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 7, tl::dyn<"batch">, 3>;
#ifdef CORRECTED
  auto [y, h, c] = tl::lstm<"l", 5>(x);
  return tl::outputs(tl::named<"s">(tl::sort<0>(x).values), tl::named<"y">(y));
#else
  return tl::outputs(tl::named<"s">(tl::sort<0>(x)), tl::named<"y">(tl::lstm<"l", 5>(x)));
#endif
};

int main() { tl::function f{model}; }
