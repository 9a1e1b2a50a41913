// SPDX-License-Identifier: BSL-1.0
// A context where masks belong, heads that do not divide the width, and a layer without a name.
// expect: transformer_encoder_layer got x float[2, 5, 6] and a mask float[2, 3, 6]: it takes masks as attention does, a key padding mask [.., keys] and a mask [.., heads, queries, keys]
// expect: attention<"b.self_attn"> got x float[2, 5, 6] for 4 heads: its width must be a multiple of these
// expect: transformer_encoder_layer takes a dropout from 0 to 1
// expect: a layer has template arguments in this order, its name first: tl::transformer_encoder_layer<"layer", tl::transformer_options{.heads = 4}>(x)
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 5, 6>;
#ifndef CORRECTED
  tl::transformer_encoder_layer<"a">(x, tl::input<"context", float, 2, 3, 6>);
  tl::transformer_encoder_layer<"b", tl::transformer_options{.heads = 4}>(x);
  tl::transformer_encoder_layer<"c", tl::transformer_options{.dropout = 2}>(x);
  tl::transformer_encoder_layer<8>(x);
#endif
  return tl::transformer_encoder_layer<"d">(x, tl::input<"padding", bool, 2, 5>);
};

int main() { model(); }
