// SPDX-License-Identifier: BSL-1.0
// Parts whose extents are not the axis's together.
// both compilers
// lines: 20
// expect: split of a value of the shape [batch, 5]: the parts have 6 elements together along axis 1
// reject: no matching function
// reject: has no member
// reject: decompose
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 5>;
#ifdef CORRECTED
  auto [a, b] = tl::split<1, 2, 3>(x);
#else
  auto [a, b] = tl::split<1, 3, 3>(x);
#endif
  return tl::outputs(tl::named<"a">(tl::exp(a)), tl::named<"b">(b));
};

int main() { tl::function f{model}; }
