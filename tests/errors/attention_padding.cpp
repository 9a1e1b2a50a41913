// SPDX-License-Identifier: BSL-1.0
// A key padding mask that has the shape of the scores.
// expect: attention<\"attn\"> got x float[2, 5, 6] and a key padding mask bool[5, 5]: it takes booleans
// expect: [.., keys] (true: may be attended to)
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
  auto mask = tl::input<"mask", bool, 2, 5>;
#else
  auto mask = tl::input<"mask", bool, 5, 5>;
#endif
  return tl::attention<"attn">(tl::input<"x", float, 2, 5, 6>, mask);
};

int main() { tl::function f{model}; }
