// SPDX-License-Identifier: BSL-1.0
// A hessian in the body of a scan, by a carry that the value is not made of.
// both compilers
// lines: 24
// expect: grad: the value does not depend on
// reject: constant expression
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  return tl::scan(
      [](auto h, auto x) {
#ifdef CORRECTED
        return h + tl::sum<0>(tl::hessian(tl::sum(tl::square(x + h)), h));
#else
        return h + tl::sum<0>(tl::hessian(tl::sum(tl::square(x)), h));
#endif
      },
      tl::input<"h", double, 2>, tl::input<"x", double, 4, 2>);
};

int main() { tl::function f{model}; }
