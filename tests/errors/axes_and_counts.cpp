// SPDX-License-Identifier: BSL-1.0
// Axes and numbers of elements that a value does not have.
// expect: topk of a value of the shape [2, 3]: axis -1 has no 4 elements
// expect: argsort of a value of the shape [2, 3]: it has no axis 2
// expect: searchsorted got a sequence float[2, 3] and x float[3]: it takes one element type, and a
// expect: vector or a sequence for each of x's lines
// expect: bincount of a value of the shape [3] with elements float: it takes a vector of integers
// expect: masked_select got a mask of the element type float: it takes booleans, which comparisons give
// expect: (x != 0_c)
// expect: masked_select of a value of the shape [2, 3]: it has no 7 elements
// expect: unique of a value of the shape [2, 3]: it has no 7 elements
// expect: unique_consecutive of a value of the shape [2, 3]: it has no 7 elements
// expect: cumsum of a value of the shape [2, 3]: it has no axis 2
// expect: cumprod of a value of the shape [2, 3]: it has no axis 2
// expect: cummax of a value of the shape [2, 3]: it has no axis 2
// expect: cummin of a value of the shape [2, 3]: it has no axis 2
// expect: trace of a value of the shape [3]: it takes [.., m, n]
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
  auto row = tl::input<"row", float, 3>;
#ifndef CORRECTED
  tl::topk<4>(x);
  tl::sort<2>(x);
  tl::argsort<2>(x);
  tl::searchsorted(x, row);
  tl::bincount<4>(row);
  tl::masked_select<7>(x, x);
  tl::masked_select<7>(x, x > x);
  tl::unique<7>(x);
  tl::unique_consecutive<7>(x);
  tl::cumsum<2>(x);
  tl::cumprod<2>(x);
  tl::cummax<2>(x);
  tl::cummin<2>(x);
  tl::trace(row);
#endif
  return tl::topk<3>(row).values;
};

int main() { model(); }
