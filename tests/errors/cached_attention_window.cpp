// SPDX-License-Identifier: BSL-1.0
// More positions at once than the cache has room for.
// lines: 20
// expect: cached_attention<\"attn\"> got x float[6, 8]: its positions are more than the window of 5
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/attention/cached_attention.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
#ifdef CORRECTED
  auto x = tl::input<"x", float, 5, 8>;
#else
  auto x = tl::input<"x", float, 6, 8>;
#endif
  auto [y, next] = tl::cached_attention<"attn", tl::attention_options{.heads = 2, .causal = true}>(
      x, tl::input<"kept", float, 2, 2, 5, 4>, tl::input<"position", std::int32_t>);
  return tl::outputs(tl::named<"y">(y), tl::named<"next">(next));
};

int main() { tl::function f{model}; }
