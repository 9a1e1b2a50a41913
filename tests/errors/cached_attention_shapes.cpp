// SPDX-License-Identifier: BSL-1.0
// A cache that does not fit the layer's heads.
// both compilers
// expect: cached_attention<\"attn\"> got x float[1, 8] and a cache float[2, 1, 5, 8]: it takes one of the type of x and the shape [2, .., 2, window, 4]
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/attention/cached_attention.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 1, 8>;
#ifdef CORRECTED
  auto kept = tl::input<"kept", float, 2, 2, 5, 4>;
#else
  auto kept = tl::input<"kept", float, 2, 1, 5, 8>;
#endif
  auto [y, next] = tl::cached_attention<"attn", tl::attention_options{.heads = 2, .causal = true}>(
      x, kept, tl::input<"position", std::int32_t>);
  return tl::outputs(tl::named<"y">(y), tl::named<"next">(next));
};

int main() { tl::function f{model}; }
