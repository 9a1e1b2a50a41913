// SPDX-License-Identifier: BSL-1.0
// Shapes that no value can have: one sentence each.
// expect: reshape finds out one extent, so that -1 stands once, but got it 2 times
// expect: reshape takes extents of 0 or more, or -1 for the one that reshape finds out, but got -2
// expect: expand takes extents of 0 or more, or -1 for one that expand keeps, but got -2
// expect: expand: a value has at most 8 axes, but got 9
// expect: reshape: a value has at most 8 axes, but got 9
// expect: slice takes a step of 1 or more, but got -1; flip<axis>(x) turns an axis around
// expect: one value or more is joined along axis 1, but got none: tl::concat<1>(a, b)
// expect: the input "long": a value has at most 8 axes, but got 9
// expect: the parameter "wide": a value has at most 8 axes, but got 9
// lines-clang: 130
// lines-gnu: 60
// reject: constant expression
// reject: uninitialized
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/shape.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 4>;
#ifndef CORRECTED
  tl::reshape<-1, -1>(x);
  tl::reshape<-2, 4>(x);
  tl::expand<-2, 4>(x);
  tl::expand<1, 1, 1, 1, 1, 1, 1, 2, 4>(x);
  tl::reshape<1, 1, 1, 1, 1, 1, 1, 2, 4>(x);
  tl::slice<1, 0, 4, -1>(x);
  tl::concat<1>();
  auto nine = tl::input<"long", float, 1, 1, 1, 1, 1, 1, 1, 1, 1>;
  auto parameter = tl::param<"wide", float, 1, 1, 1, 1, 1, 1, 1, 1, 1>;
#endif
  return tl::reshape<-1>(x);
};

int main() { model(); }
