// SPDX-License-Identifier: BSL-1.0
// The gradient of what is no scalar, and the second derivatives.
// both compilers
// expect: grad takes a scalar, but got a value of the shape [3]: reduce it (sum, mean), or use vjp
// expect: hessian takes a scalar, but got a value of the shape [3]: reduce it (sum, mean)
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
#ifdef CORRECTED
  return tl::grad(tl::sum(tl::exp(x)), x);
#else
  return tl::sum(tl::grad(tl::exp(x), x)) + tl::sum(tl::hessian(tl::exp(x), x));
#endif
};

int main() { tl::function f{model}; }
