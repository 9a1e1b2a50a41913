// SPDX-License-Identifier: BSL-1.0
// Attention to a context of another batch.
// expect: attention<\"attn\"> got x float[batch, 5, 6] and a context float[6, 7, 6]: it takes two [..,
// expect: length, width] that differ in length only; a mask of numbers is [.., heads, queries, keys], with an axis
// expect: more than x
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
#ifdef CORRECTED
  auto context = tl::input<"context", float, tl::dyn<"batch">, 7, 6>;
#else
  auto context = tl::input<"context", float, 6, 7, 6>;
#endif
  return tl::attention<"attn">(tl::input<"x", float, tl::dyn<"batch">, 5, 6>, context);
};

int main() { tl::function f{model}; }
