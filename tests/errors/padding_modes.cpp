// SPDX-License-Identifier: BSL-1.0
// Paddings that x is too short for.
// expect: pad of a value of the shape [2, 3]: a padding of 3 elements that mirrors axis 1 needs at least 4 there
// expect: pad of a value of the shape [2, 3]: a padding of 4 elements that repeats axis 1 needs at least 4 there
// expect: pad of a value of the shape [2, 3]: -2 and -2 take 4 elements off axis 1, which has 3
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/shape.hpp>
#include <tapeless/ops/spatial/padding_mode.hpp>

namespace tl = tapeless;
using enum tl::padding_mode;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
#ifndef CORRECTED
  tl::pad<1, 3, 0, reflect>(x);
  tl::pad<1, 0, 4, circular>(x);
  tl::pad<1, -2, -2>(x);
#endif
  return tl::pad<1, 5, 2, replicate>(tl::pad<1, -1, 2>(x));
};

int main() { model(); }
