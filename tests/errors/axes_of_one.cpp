// SPDX-License-Identifier: BSL-1.0
// Axes of extent 1 that have another extent, or would stand nowhere.
// expect: squeeze of a value of the shape [1, 3, n]: the extent of axis 1 is not 1
// expect: squeeze of a value of the shape [1, 3, n]: the extent of axis 2 is not 1
// expect: squeeze<3> of a value of the shape [1, 3, n], which has no such axis
// expect: squeeze<-3> of a value of the shape [1, 3, n]: the axis is named twice
// expect: unsqueeze of a value of the shape [1, 3, n]: the result cannot have an axis 4
// expect: the axis is a template argument, as in tl::concat<0>(a, b)
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>

namespace tl = tapeless;

constexpr auto n = tl::dyn<"n">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 1, 3, n>;
#ifndef CORRECTED
  tl::squeeze<1>(x);
  tl::squeeze<0, -1>(x);
  tl::squeeze<3>(x);
  tl::squeeze<0, -3>(x);
  tl::unsqueeze<4>(x);
  tl::squeeze(x);
  tl::unsqueeze(x, 0);
#endif
  return tl::unsqueeze<2>(tl::squeeze<0>(x));
};

int main() { model(); }
