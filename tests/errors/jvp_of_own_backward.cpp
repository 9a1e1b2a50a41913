// SPDX-License-Identifier: BSL-1.0
// A derivative along a direction through a backward that is not linear in its cotangent.
// both compilers
// expect: the derivative of a custom operation is not linear in its cotangent, so there is none along a direction (jvp, forward mode): take grad or vjp
// reject: no matching function
// reject: no match for
// reject: has no member
// reject: constant expression
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

struct clipped_square : tl::custom_op {
  static constexpr auto forward(auto x) { return x * x; }
  static constexpr auto backward(auto g, auto x, auto /*y*/) { return tl::max(tl::min(g, 0.5), -0.5) * x; }
};

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3>;
  auto y = tl::apply<clipped_square>(x);
#ifdef CORRECTED
  return tl::vjp(y, x, tl::input<"v", float, 3>);
#else
  return tl::jvp(y, x, tl::input<"v", float, 3>);
#endif
};

int main() { tl::function f{model}; }
