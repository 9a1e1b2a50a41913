// SPDX-License-Identifier: BSL-1.0
// Rotary positions for heads of an odd number of features.
// expect: attention<\"attn\"> got x float[5, 6] for 2 heads: rotary positions take an even number of
// expect: features for each
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
constexpr int heads = 3;
#else
constexpr int heads = 2;
#endif

constexpr auto model = [] {
  return tl::attention<"attn", tl::attention_options{.heads = heads, .rotary = true}>(
      tl::input<"x", float, 5, 6>);
};

int main() { tl::function f{model}; }
