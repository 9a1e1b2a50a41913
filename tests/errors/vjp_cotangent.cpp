// SPDX-License-Identifier: BSL-1.0
// A cotangent of another shape than the value that it is for.
// expect: vjp got a cotangent of the shape [2] for a value of the shape [3]: they must be the same
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
  auto g = tl::input<"g", float, 2>;
#ifdef CORRECTED
  return tl::vjp(tl::square(x), x, tl::concat<0>(g, tl::sum<0>(g, tl::keep_dims)));
#else
  return tl::vjp(tl::square(x), x, g);
#endif
};

int main() { tl::function f{model}; }
