// SPDX-License-Identifier: BSL-1.0
// What is to be put everywhere is no scalar; extents are below 0.
// expect: full of a value of the shape [2]: it takes a number, or a scalar
// expect: full_like of a value of the shape [2]: it takes a value and a number, or a scalar
// expect: linspace of a value of the shape [2]: its ends are numbers, or scalars
// expect: linspace takes a floating element type
// expect: iota takes an element type and a shape: tl::iota<float, 4>()
// expect: a constant has at most 8 axes, whose extents are 0 or more, or tl::dyn<...>
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2>;
#ifndef CORRECTED
  tl::full<float, 3, 2>(x);
  tl::full<float, -1>(tl::sum(x)) + x;
  tl::zeros<float, 2, -1>() + x;
  tl::ones<float, 1, 1, 1, 1, 1, 1, 1, 1, 1>() + x;
  tl::eye<float, -2>() + x;
  tl::iota<float, 2, -3>() + x;
  tl::iota<float>() + x;
  tl::full_like(x, x);
  tl::linspace<float, 4>(x, tl::sum(x));
  tl::linspace<int, 4>(tl::sum(x), tl::sum(x)) + x;
#endif
  return tl::full<float, 3, 2>(tl::sum(x));
};

int main() { model(); }
