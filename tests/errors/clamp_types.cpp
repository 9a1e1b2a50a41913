// SPDX-License-Identifier: BSL-1.0
// Bounds of another element type than what they bound.
// expect: clamp got operands of the element types float, double and double, which do not mix: tl::cast<T>(x) converts
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
  auto bound = tl::input<"bound", double>;
#ifdef CORRECTED
  return tl::clamp(tl::cast<double>(x), -bound, bound);
#else
  return tl::clamp(x, -bound, bound);
#endif
};

int main() { tl::function f{model}; }
