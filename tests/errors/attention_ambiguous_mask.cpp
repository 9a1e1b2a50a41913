// SPDX-License-Identifier: BSL-1.0
// A mask that may be one of keys, or of queries and keys.
// expect: attention<\"attn\"> got x float[5, 5, 6] and a mask bool[5, 5], which may be one of [batch, keys] or of
// expect: [queries, keys]: reshape it to [batch, 1, 1, keys] or to [1, 1, queries, keys]
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
  auto mask = tl::input<"mask", bool, 5, 5>;
#ifdef CORRECTED
  return tl::attention<"attn">(tl::input<"x", float, 5, 5, 6>, tl::reshape<5, 1, 1, 5>(mask));
#else
  return tl::attention<"attn">(tl::input<"x", float, 5, 5, 6>, mask);
#endif
};

int main() { tl::function f{model}; }
