// SPDX-License-Identifier: BSL-1.0
// The gradient of a function.
// both compilers
// lines: 20
// expect: a derivative is of an expression by others, but got something else, a name or a function perhaps: tl::grad(y, x) is by the x that y is made from, tl::grad(y, tl::input<"x", float, 3>) by the input of that name, type and shape, tl::grad(f(x), x) of what a function makes
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#ifdef CORRECTED
  auto f = [](auto x) { return tl::sum(x); };
  auto y = tl::grad(f(x), x);
#else
  auto y = tl::grad([](auto x) { return tl::sum(x); }, x);
#endif
  return tl::outputs(tl::named<"y">(tl::exp(y)));
};

int main() { tl::function f{model}; }
