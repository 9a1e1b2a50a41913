// SPDX-License-Identifier: BSL-1.0
// Parts of several extents.
// both compilers
// lines: 20
// expect: split<axis, parts>(x) makes so many parts of one extent: tl::slice<axis, begin, end>(x) takes a part of any other
// reject: no matching function
// reject: has no member
// reject: decompose
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 5>;
#ifdef CORRECTED
  auto a = tl::slice<1, 0, 2>(x);
  auto b = tl::slice<1, 2, 5>(x);
#else
  auto [a, b] = tl::split<1, 2, 3>(x);
#endif
  return tl::outputs(tl::named<"a">(tl::exp(a)), tl::named<"b">(b));
};

int main() { tl::function f{model}; }
