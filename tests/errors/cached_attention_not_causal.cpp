// SPDX-License-Identifier: BSL-1.0
// Keys and values are kept of a layer that looks at later positions, too.
// both compilers
// expect: cached_attention<\"attn\"> is for causal attention, in which a position looks at none that comes later
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

#ifdef CORRECTED
constexpr tl::attention_options options{.heads = 2, .causal = true};
#else
constexpr tl::attention_options options{.heads = 2};
#endif

constexpr auto model = [] {
  auto [y, next] = tl::cached_attention<"attn", options>(
      tl::input<"x", float, 1, 8>, tl::input<"kept", float, 2, 2, 5, 4>, tl::input<"position", std::int32_t>);
  return tl::outputs(tl::named<"y">(y), tl::named<"next">(next));
};

int main() { tl::function f{model}; }
