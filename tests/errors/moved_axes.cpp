// SPDX-License-Identifier: BSL-1.0
// An axis that is not there, or not named.
// expect: movedim of a value of the shape [2, 3, n]: it has no axis 3
// expect: movedim of a value of the shape [2, 3, n]: it has no axis -4
// expect: the axis is a template argument, as in tl::concat<0>(a, b)
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3, tl::dyn<"n">>;
#ifndef CORRECTED
  tl::movedim<3, 0>(x);
  tl::movedim<0, -4>(x);
  tl::movedim(x, 0, 1);
#endif
  return tl::movedim<2, -3>(x);
};

int main() { model(); }
