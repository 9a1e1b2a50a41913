// SPDX-License-Identifier: BSL-1.0
// Products of operands that do not fit.
// expect: outer got operands of the shapes [2, 3] and [3]: it takes two vectors
// expect: dot got operands of the shapes [3] and [4]: it takes two vectors of one extent
// expect: bilinear got operands of the shapes [2, 3] and [2, 3] and a weight of the shape [5, 3, 4]: it takes
// expect: bilinear<\"form\"> of values of the shapes [2, 3] and [n]: the last extents, in1 and in2, must be integers
// expect: linear got x of the shape [4] and a weight of the shape [2, 3]: it takes [..., in] and [out, in]
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/linalg/bilinear.hpp>
#include <tapeless/ops/ops.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
  auto v = tl::input<"v", float, 3>;
#ifndef CORRECTED
  auto u = tl::input<"u", float, 4>;
  tl::outer(x, v);
  tl::dot(v, u);
  tl::bilinear(x, x, tl::input<"w", float, 5, 3, 4>);
  tl::bilinear<"form", 2>(x, tl::input<"y", float, tl::dyn<"n">>);
  tl::linear(u, x);
#endif
  return tl::bilinear<"form", 2>(x, x) + tl::linear(v, x) * tl::dot(v, v);
};

int main() { model(); }
