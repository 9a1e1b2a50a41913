// SPDX-License-Identifier: BSL-1.0
// Shape operations on values that they do not take.
// expect: transpose of a value of the shape [2, 3, n]: it has no axis 3
// expect: split of a value of the shape [2, 3, n]: axis 1 does not divide into 2 parts of one extent
// expect: split of a value of the shape [2, 3, n]: axis -1 does not divide into 2 parts of one extent
// expect: stack<0> got float[2, 3, n], float[3, 2, n]: it takes values of one shape and element type, and an axis of
// expect: roll of a value of the shape [2, 3, n]: it has no axis 3
// expect: flatten of a value of the shape [2, 3, n]: the last axis, 1, comes before the first, 2
// expect: slice of a value of the shape [2, 3, n]: axis 2 has a run-time extent, along which it cannot go from -2 to
// expect: slice of a value of the shape [2, 3, n]: it goes from 1 to 4 along axis 1, whose bounds lie in -3 to 3
// expect: slice of a value of the shape [2, 3, n]: it goes from -4 to the end along axis 1, whose bounds lie in -3 to 3
// expect: at of a value of the shape [2, 3, n]: it has no element 3 along axis 1
// expect: diagonal of a value of the shape [2, 3, n]: it takes [.., n, n], or known extents
// expect: tril of a value of the shape [n]: it takes [.., m, n]
// expect: pad of a value of the shape [2, 3, n] with a value that is no scalar but has 1 axes
// expect: iota_like of a value of the shape [2, 3, n]: it has no axis 3
// expect: one_hot of a value float[n]: it takes integers of at most 7 axes
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>

namespace tl = tapeless;

constexpr auto n = tl::dyn<"n">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3, n>;
  auto v = tl::input<"v", float, n>;
#ifndef CORRECTED
  tl::transpose<0, 3>(x);
  tl::split<1, 2>(x);
  tl::split<-1, 2>(x);
  tl::stack<0>(x, tl::transpose<0, 1>(x));
  tl::roll<3, 1>(x);
  tl::flatten<2, 1>(x);
  tl::slice<2, -2, 1>(x);
  tl::slice<1, 1, 4>(x);
  tl::slice<1, -4, tl::to_end>(x);
  tl::at<0, 3>(x);
  tl::diagonal(x);
  tl::tril(v);
  tl::pad<0, 1, 1>(x, v);
  tl::iota_like<3>(x);
  tl::one_hot<3>(v);
#endif
  return tl::stack<0>(tl::slice<1, -3, 3>(x), tl::roll<2, 1>(tl::slice<1, 0, tl::to_end>(x)));
};

int main() { model(); }
