// SPDX-License-Identifier: BSL-1.0
// Operands of different element types.
// expect: - got operands of the element types float and double, which do not mix: tl::cast<T>(x) converts
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
  auto x = tl::input<"x", float, 2>;
  auto y = tl::input<"y", double, 2>;
#ifdef CORRECTED
  return tl::cast<double>(x) - y;
#else
  return x - y;
#endif
};

int main() { tl::function f{model}; }
