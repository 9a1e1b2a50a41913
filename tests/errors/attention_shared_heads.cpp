// SPDX-License-Identifier: BSL-1.0
// Heads of keys that cannot be shared evenly.
// expect: scaled_dot_product_attention got queries float[2, 4, 3, 8], keys float[2, 3, 5, 8] and values float[2,
// expect: 3, 5, 8]: it takes [.., heads, queries, width], [.., shared, keys, width] and [.., shared, keys, any]
// expect: with enable_gqa, where heads is a multiple of shared
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
constexpr int shared = 2;
#else
constexpr int shared = 3;
#endif

constexpr auto model = [] {
  auto k = tl::input<"k", float, 2, shared, 5, 8>;
  constexpr tl::attention_options o{.enable_gqa = true};
  return tl::scaled_dot_product_attention<o>(tl::input<"q", float, 2, 4, 3, 8>, k, k);
};

int main() { tl::function f{model}; }
