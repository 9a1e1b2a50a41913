// SPDX-License-Identifier: BSL-1.0
// A gradient by a name.
// both compilers
// lines: 20
// expect: a derivative is of an expression by others, but got something else, a name or a function perhaps: tl::grad(y, x) is by the x that y is made from, tl::grad(y, tl::input<"x", float, 3>) by the input of that name, type and shape, tl::grad(f(x), x) of what a function makes
// reject: no matching function
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3>;
  auto y = tl::sum(tl::exp(x) * tl::input<"w", float, 3>);
#ifdef CORRECTED
  auto [dx, dw] = tl::grad(y, x, tl::input<"w", float, 3>);
#else
  auto [dx, dw] = tl::grad(y, x, "w");
#endif
  return tl::outputs(tl::named<"dx">(dx), tl::named<"dw">(dw));
};

int main() { tl::function f{model}; }
