// SPDX-License-Identifier: BSL-1.0
// The laws for attention: operands and parameters given, and layers.
#include <tapeless/ops/attention.hpp>

#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(dot_product_attention, 32, 8, -1, 1,
             tl::scaled_dot_product_attention<tl::attention_options{.causal = true}>(part<0, 2, 2, 2>(z),
                                                                                     part<8, 2, 3, 2>(z),
                                                                                     part<20, 2, 3, 2>(z)))
TAPELESS_LAW(additive_mask, 24, 4, -1, 1,
             tl::scaled_dot_product_attention<tl::attention_options{.scale = 2}>(
                 part<0, 2, 2>(z), part<4, 3, 2>(z), part<10, 3, 2>(z), part<16, 2, 3>(z)))
TAPELESS_LAW(relative_positions, 18, 18, -1, 1, [](auto z) {
  constexpr tl::relative_positions o{.max_distance = 1, .distance = tl::relative_distance::clipped};
  return tl::relative_position_scores<o>(part<0, 3, 2>(z), part<6, 2, 3, 2>(z), part<12, 3, 2>(z));
}(z))
TAPELESS_LAW(rotary, 24, 24, -1, 1, tl::rotary<10.0>(part<0, 2, 3, 4>(z)))
TAPELESS_LAW(rotary_positions, 24, 24, -1, 1,
             tl::rotary<tl::rotary_options{.base = 10, .interleaved = true}>(part<0, 2, 3, 4>(z),
                                                                             2_c * tl::iota<int, 2, 3>() -
                                                                                 1_c))
TAPELESS_LAW(
    attention_to_itself, 24, 24, -1, 1,
    tl::attention<"a",
                  tl::attention_options{.heads = 2, .causal = true, .key_value_heads = 1, .rotary = true}>(
        part<0, 2, 3, 4>(z)))
TAPELESS_LAW(attention_to_a_context, 20, 8, -1, 1,
             tl::attention<"a", tl::attention_options{.heads = 2}>(part<0, 2, 4>(z), part<8, 3, 4>(z),
                                                                   tl::sum<1>(part<8, 3, 4>(z)) < 1_c))
// 4 heads of queries share 2 of keys and values, with slopes, a window and a mask of numbers.
TAPELESS_LAW(attention_of_shared_heads, 52, 12, -1, 1, [](auto z) {
  constexpr tl::attention_options o{.enable_gqa = true, .window = 2, .alibi = true};
  return tl::sum<-1>(tl::scaled_dot_product_attention<o>(part<0, 4, 3, 2>(z), part<24, 2, 3, 2>(z),
                                                         part<36, 2, 3, 2>(z), part<48, 4, 1, 1>(z)));
}(z))
