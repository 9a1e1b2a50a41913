// SPDX-License-Identifier: BSL-1.0
// All derivatives of a loop's result by a loop over its elements.
// both compilers
// expect: the derivative of a scan is asked for in the iterations of another loop (jacobian, hessian or the body of a scan): take vjp or jvp outside the scan
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
  auto x = tl::input<"x", float, 3>;
  auto y = tl::scan<2>(x, [](auto h) { return tl::tanh(h); });
#ifdef CORRECTED
  return tl::vjp(y, x, tl::input<"seed", float, 3>);
#else
  return tl::jacobian(y, x);
#endif
};

int main() { tl::function f{model}; }
