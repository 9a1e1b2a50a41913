// SPDX-License-Identifier: BSL-1.0
// Attention heads that do not divide the width.
// expect: attention<\"attn\"> got x float[batch, 5, 6] for 4 heads: its width must be a multiple of
// expect: these
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
constexpr int heads = 4;
#endif

constexpr auto model = [] {
  return tl::attention<"attn", tl::attention_options{.heads = heads}>(
      tl::input<"x", float, tl::dyn<"batch">, 5, 6>);
};

int main() { tl::function f{model}; }
