// SPDX-License-Identifier: BSL-1.0
// A row of an expression by [ ].
// both compilers
// lines: 20
// first: an expression is not indexed by [ ]: tl::at<0>(x) and tl::slice<axis, begin, end>(x) take a part of
// expect: an expression is not indexed by [ ]: tl::at<0>(x) and tl::slice<axis, begin, end>(x) take a part of it
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  return tl::sum(tl::at<0>(x));
#else
  return tl::sum(x[0]);
#endif
};

int main() { tl::function f{model}; }
