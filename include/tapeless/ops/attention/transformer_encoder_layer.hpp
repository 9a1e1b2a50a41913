// SPDX-License-Identifier: BSL-1.0
// transformer_encoder_layer<"layer", transformer_options{.heads = 8}>(x): attention and two layers behind it.
#pragma once

#include <cstdint>

#include <tapeless/ops/activation/dropout.hpp>
#include <tapeless/ops/activation/gelu.hpp>
#include <tapeless/ops/activation/relu.hpp>
#include <tapeless/ops/attention/attention_layer.hpp>
#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/linalg/linear.hpp>
#include <tapeless/ops/norm/layer_norm.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

/// What a transformer's layer has between its two linear ones.
enum class transformer_activation : std::uint8_t { relu, gelu };

/// Options of transformer_encoder_layer, with PyTorch's defaults.
struct transformer_options {
  int heads = 1;               ///< of width / heads features each
  std::int64_t hidden = 2048;  ///< features between the two linear layers
  double dropout = 0.1;        ///< in training: of the weights of attention, and of what each layer gives
  transformer_activation activation = transformer_activation::relu;
  double eps = 1e-5;        ///< of both norms
  bool norm_first = false;  ///< normalizes what goes into attention and the linear layers, not each sum
  bool causal = false;      ///< a query attends to the keys up to its own index
  bool bias = true;         ///< of all parts
  friend constexpr bool operator==(const transformer_options&, const transformer_options&) = default;
};

template <name Name, transformer_options Options>
struct transformer_encoder_statement : detail::drawing_statement<(Options.dropout > 0)> {
  static constexpr text refusal() {
    if (Options.heads < 1)
      return text() << "transformer_encoder_layer takes one head or more, but got " << Options.heads;
    return detail::refused_attention("transformer_encoder_layer", {.dropout = Options.dropout});
  }
  static constexpr int arity = -1;

  static constexpr node_list build_all(graph& g, const node_list& operands) {
    const value x{&g, operands.ids[0]};
    for (int i = 1; i < operands.count; ++i)
      if (const value mask{&g, operands.ids[i]}; mask.type() != element::boolean && mask.rank() == x.rank())
        return node_list::only(detail::do_not_fit(
            "transformer_encoder_layer", {{"x", x}, {"a mask", mask}},
            "masks as attention does, a key padding mask [.., keys] and a mask [.., heads, queries, keys]"));
    const auto attended = [&](value h) {
      node_list with_masks = operands;
      with_masks.ids[0] = h.id;
      return detail::dropped({&g, attention::build_all(g, with_masks).ids[0]}, Options.dropout);
    };
    if constexpr (Options.norm_first) {
      const value h = x + attended(norm<".norm1">(x));
      return node_list::only(h + fed_forward(norm<".norm2">(h)));
    } else {
      const value h = norm<".norm1">(x + attended(x));
      return node_list::only(norm<".norm2">(h + fed_forward(h)));
    }
  }

 private:
  using attention = attention_layer<Name + ".self_attn", attention_options{.heads = Options.heads,
                                                                           .causal = Options.causal,
                                                                           .bias = Options.bias,
                                                                           .dropout = Options.dropout}>;

  template <name Part>
  static constexpr value norm(value x) {
    return layer_norm_layer < Name + Part, 1, Options.eps,
           Options.bias ? norm_parameters::weight_and_bias : norm_parameters::weight > ::build(x);
  }

  static constexpr value fed_forward(value x) {
    const value wide = detail::own_linear<Name + ".linear1", Options.bias>(x, Options.hidden);
    const value bent = Options.activation == transformer_activation::relu ? relu(wide) : gelu(wide);
    const value y = detail::own_linear<Name + ".linear2", Options.bias>(
        detail::dropped(bent, Options.dropout), x.rank() == 0 ? 0 : x.get().shape[x.rank() - 1]);
    return detail::dropped(y, Options.dropout);
  }
};

namespace forms {

/// A layer of a transformer's encoder (Vaswani et al., 2017) of x [.., length, width]: attention of x to
/// itself, then a linear layer to transformer_options::hidden features, an activation and a linear layer
/// back; each of the two parts has dropout, is added to what went into it, and normalized. Masks are as in
/// attention: true says which keys may be attended to.
/// Owns, as PyTorch's TransformerEncoderLayer, the parameters of attention<Name.self_attn>,
/// linear<Name.linear1>, linear<Name.linear2>, layer_norm<Name.norm1> and layer_norm<Name.norm2>.
/// @formula h = norm1(x + attention(x)), y = norm2(h + linear2(act(linear1(h)))); with norm_first
///   h = x + attention(norm1(x)), y = h + linear2(act(linear1(norm2(h))))
/// @shapes floating [.., length, width] -> the same
/// @errors transformer_masks attention_heads attention_width attention_padding
/// @torch torch.nn.TransformerEncoderLayer(batch_first=True)
/// @jax none: flax.linen.MultiHeadDotProductAttention, flax.linen.Dense and flax.linen.LayerNorm
/// @given x = [[1, 2, 0, 3], [1, 2, 3, 2]]
/// @gives tl::transformer_encoder_layer<"layer", tl::transformer_options{.heads = 2, .hidden = 4}>(x) =
/// [[-1.399, 0.6109, -0.4296, 1.218], [-1.511, -0.1596, 1.221, 0.4498]]
template <name Name, transformer_options Options = transformer_options{}, operand X, operand... Masks>
  requires(sizeof...(Masks) <= 2)
TAPELESS_FACTORY auto transformer_encoder_layer(X x, Masks... masks) {
  return make<transformer_encoder_statement<Name, Options>>(x, masks...);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto transformer_encoder_layer(const X&... x) {
  if constexpr (requires { forms::transformer_encoder_layer<A.value...>(x...); }) {
    return forms::transformer_encoder_layer<A.value...>(x...);
  } else {
    return detail::refuse_layer<
        sentence{"transformer_encoder_layer<\"layer\", tl::transformer_options{.heads = 4}>(x)"}, A...>(x...);
  }
}

}  // namespace tapeless
