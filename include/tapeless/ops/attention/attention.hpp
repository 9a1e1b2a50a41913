// SPDX-License-Identifier: BSL-1.0
// attention<"attn", attention_options{.heads = 4}>(x): a layer of multi-head attention.
#pragma once

#include <tapeless/ops/attention/attention_layer.hpp>
#include <tapeless/ops/base/layer.hpp>

namespace tapeless {

namespace forms {

/// A layer of multi-head attention (Vaswani et al., 2017) of x [.., length, width] to itself, or to a context
/// [.., keys, width] -> [.., length, width]: softmax(scale q k^T) v for each head, where q, k and v are the
/// head's features of projections of x and the context; then a projection of all heads' results. A key
/// padding mask, booleans [.., keys], says which keys may be attended to, for each element of the batch; who
/// may attend to none gets 0 from the heads. A mask [.., heads, queries, keys], in which extents may be 1, is
/// booleans (true: may be attended to) or numbers that are added to the scores. Operands: x, then a context,
/// or keys [.., keys, any] and values [.., keys, any], then masks.
/// Owns, as PyTorch's MultiheadAttention, Name.in_proj_weight [3 width, width] (rows of q, k and v),
/// Name.in_proj_bias, Name.out_proj.weight [width, width] and Name.out_proj.bias. With
/// attention_options::key_value_heads = n (Ainslie et al., 2023), each head of keys and values is shared by
/// heads / n neighbouring heads of queries, and in_proj_weight is [width + 2 n width / heads, width]. With
/// attention_options::rotary, queries and keys are turned by their positions, as rotary(x) does;
/// rotary_interleaved turns neighbouring features, as GPT-J and Meta's own Llama do. Keys or values of
/// another width than x have Name.q_proj_weight, Name.k_proj_weight and Name.v_proj_weight in place of
/// in_proj_weight. With attention_options::add_bias_kv there are a learned key and value more, Name.bias_k
/// and Name.bias_v [1, 1, width], with add_zero_attn a key and a value of zeros, which are always attended
/// to. window, alibi and dropout are as in scaled_dot_product_attention.
/// @formula y = concat over heads of softmax(q k^T / sqrt(head's width)) v, projected
/// @shapes floating [.., length, width] -> the same
/// @errors attention_heads attention_width attention_context attention_padding attention_padding_type
///   attention_rotary attention_keys attention_mask
/// @torch torch.nn.MultiheadAttention
/// @jax flax.linen.MultiHeadDotProductAttention
/// @given x = [[1, 2], [3, 4]]
/// @gives tl::attention<"attn", tl::attention_options{.heads = 2}>(x) = [[-2.669, 0.8605], [-2.975, 0.8584]]
template <name Name, attention_options Options = attention_options{}, operand X, operand... More>
  requires(sizeof...(More) <= 4)
TAPELESS_FACTORY auto attention(X x, More... streams_and_masks) {
  return make<attention_layer<Name, Options>>(x, streams_and_masks...);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto attention(const X&... x) {
  if constexpr (requires { forms::attention<A.value...>(x...); }) {
    return forms::attention<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"attention<\"attn\", tl::attention_options{.heads = 4}>(x)"}, A...>(
        x...);
  }
}

}  // namespace tapeless
