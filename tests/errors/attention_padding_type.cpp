// SPDX-License-Identifier: BSL-1.0
// A third operand of attention that is no mask.
// expect: attention<\"attn\"> got a key padding mask float[2, 5]: it takes booleans [.., keys]
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
  auto x = tl::input<"x", float, 2, 5, 6>;
#ifdef CORRECTED
  return tl::attention<"attn">(x, x, tl::input<"mask", bool, 2, 5>);
#else
  return tl::attention<"attn">(x, x, tl::input<"mask", float, 2, 5>);
#endif
};

int main() { tl::function f{model}; }
