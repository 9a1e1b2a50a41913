// SPDX-License-Identifier: BSL-1.0
// All derivatives of a loop's result, which has too many elements.
// both compilers
// expect: jacobian through a scan, or in the body of one, has a run of its own for each element of the result or of what it is differentiated by, and so at most 64, but there are "65": take vjp or jvp
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 65>;
  auto y = tl::scan<2>(x, [](auto h) { return tl::tanh(h); });
#ifdef CORRECTED
  return tl::vjp(y, x, tl::input<"seed", float, 65>);
#else
  return tl::jacobian(y, x);
#endif
};

int main() { tl::function f{model}; }
