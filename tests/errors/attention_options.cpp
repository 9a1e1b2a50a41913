// SPDX-License-Identifier: BSL-1.0
// Options of attention that no attention can have: one sentence each.
// expect: attention takes one head or more, but got 0
// expect: attention takes a number of key_value_heads that divides its heads, but got 3 for 4 heads
// expect: attention takes a dropout from 0 to 1, but got 1.5
// expect: cached_attention has no add_bias_kv and add_zero_attn
// expect: scaled_dot_product_attention takes a window of 1 key or more, or 0 for all, but got -1
// expect: rotary takes a base that is positive, but got -0.5
// expect: transformer_encoder_layer takes one head or more, but got 0
// expect: relative_position_bias has one head or more, but got 0
// lines-clang: 135
// lines-gnu: 55
// reject: constant expression
// reject: overflow
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/attention.hpp>

namespace tl = tapeless;
using tl::attention_options;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 4, 8>;
#ifndef CORRECTED
  tl::attention<"a", attention_options{.heads = 0}>(x);
  tl::attention<"b", attention_options{.heads = 4, .key_value_heads = 3}>(x);
  tl::attention<"c", attention_options{.heads = 4, .dropout = 1.5}>(x);
  tl::cached_attention<"d", attention_options{.causal = true, .add_zero_attn = true}>(
      x, tl::input<"cache", float, 2, 2, 1, 9, 8>, tl::input<"position", int>);
  tl::scaled_dot_product_attention<attention_options{.window = -1}>(x, x, x);
  tl::rotary<tl::rotary_options{.base = -0.5}>(x);
  tl::transformer_encoder_layer<"e", tl::transformer_options{.heads = 0}>(x);
  tl::relative_position_bias<"f", 0>(x, x);
#endif
  return tl::attention<"g", attention_options{.heads = 4}>(x);
};

int main() { model(); }
