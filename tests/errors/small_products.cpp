// SPDX-License-Identifier: BSL-1.0
// Products of vectors and matrices that do not fit.
// expect: cross got a float[2, 3] and b float[4]: it takes two of one type and of extent 3 along the axis
// expect: kron of a value of the shape [1, 1, 1, 1, 2]: it takes at most 4 axes
// expect: tensordot got a float[2, 3] and b float[2, 3]: it takes as many axes of each, with equal extents,
// expect: multi_dot of a value of the shape [3]: it takes matrices, of which the first and the last may be vectors
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/linalg.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto a = tl::input<"a", float, 2, 3>;
  auto v = tl::input<"v", float, 3>;
#ifndef CORRECTED
  tl::cross(a, tl::input<"u", float, 4>);
  tl::kron(a, tl::input<"b", float, 1, 1, 1, 1, 2>);
  tl::tensordot<1>(a, a);
  tl::multi_dot(a, v, a);
#endif
  return tl::cross(a, v) * tl::tensordot<2>(a, a) + tl::sum(tl::kron(a, a)) + tl::sum(tl::multi_dot(a, v));
};

int main() { model(); }
