// SPDX-License-Identifier: BSL-1.0
// A mask of other heads.
// expect: attention<\"attn\"> got x float[2, 5, 6] and a mask bool[2, 2, 5, 5]: it takes booleans (true: may be
// expect: attended to) or numbers of the type of x that broadcast to [.., heads, queries, keys], with as many
// expect: axes
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int heads = 1;
#else
constexpr int heads = 2;
#endif

constexpr auto model = [] {
  constexpr tl::attention_options o{.heads = 3};
  return tl::attention<"attn", o>(tl::input<"x", float, 2, 5, 6>, tl::input<"mask", bool, 2, heads, 5, 5>);
};

int main() { tl::function f{model}; }
