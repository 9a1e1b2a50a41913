// SPDX-License-Identifier: BSL-1.0
// attention<"attn", attention_options{.heads = 4}>(x): a layer of multi-head attention.
#pragma once

#include <tapeless/ops/attention/rotary.hpp>
#include <tapeless/ops/attention/scaled_dot_product_attention.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

namespace detail {

/// [.., length, heads, n] -> [.., heads, length, n]; with groups of heads [.., length, heads, group, n] ->
/// [.., heads, group, length, n].
constexpr value heads_first(value x, int head_axes) {
  const int length = x.rank() - 2 - head_axes;
  int axes[max_rank] = {};
  for (int i = 0; i < x.rank(); ++i) axes[i] = i < length || i == x.rank() - 1 ? i : i + 1;
  axes[x.rank() - 2] = length;
  return permute(x, axes);
}
/// The inverse of heads_first.
constexpr value length_first(value x, int head_axes) {
  const int length = x.rank() - 2 - head_axes;
  int axes[max_rank] = {};
  for (int i = 0; i < x.rank(); ++i) axes[i] = i <= length || i == x.rank() - 1 ? i : i - 1;
  axes[length] = x.rank() - 2;
  return permute(x, axes);
}

// A function of values, so that no compiler looks at a division by zero that is not made.
constexpr bool key_value_heads_fit(const attention_options& o) {
  return o.key_value_heads == 0 || (o.key_value_heads > 0 && o.heads % o.key_value_heads == 0);
}

}  // namespace detail

template <name Name, attention_options Options>
struct attention_layer {
  static_assert(Options.heads >= 1, "tapeless: attention takes one head or more");
  static_assert(detail::key_value_heads_fit(Options),
                "tapeless: attention takes a number of key_value_heads that divides its heads");
  static_assert(Options.scale >= 0, "tapeless: attention takes a scale that is positive");
  static_assert(Options.rotary_base > 0, "tapeless: attention takes a rotary_base that is positive");

  static constexpr int arity = -1;

  static constexpr node_list build_all(graph& g, const node_list& operands) {
    value x[max_arguments];
    for (int i = 0; i < operands.count; ++i) x[i] = {&g, operands.ids[i]};
    const bool masked = operands.count > 1 && x[operands.count - 1].type() == element::boolean;
    if (operands.count == 3 && !masked)
      return node_list::only(x[2].fail(got("a key padding mask", x[2]) << ": it takes booleans [.., keys]"));
    const value mask = masked ? x[operands.count - 1] : value{};
    return node_list::only(build(x[0], operands.count - (masked ? 1 : 0) == 2 ? x[1] : x[0], mask));
  }

  // From here on what cached_attention is made of, too.
  static constexpr std::int64_t heads = Options.heads,
                                shared = Options.key_value_heads == 0 ? heads : Options.key_value_heads;
  static constexpr int head_axes = shared == heads ? 1 : 2;  // of queries, keys and values

  static constexpr std::int64_t last_extent(value x) { return x.get().shape[x.rank() - 1]; }

  static constexpr value build(value x, value context, value mask) {
    if (x.rank() < 2 || x.rank() + head_axes > max_rank || !is_floating(x.type()) ||
        !extent_table::is_literal(last_extent(x)))
      return x.fail(got("x", x) << ": it takes floating [.., length, width], whose width is an integer");
    if (last_extent(x) == 0 || last_extent(x) % heads != 0)
      return x.fail(got("x", x) << " for " << heads << " heads: its width must be a multiple of these");
    if (Options.rotary && last_extent(x) / heads % 2 != 0)
      return x.fail(got("x", x) << " for " << heads
                                << " heads: rotary positions take an even number of features for each");
    if (!fits(x, context))
      return x.fail(got("x", x, "a context", context)
                    << ": it takes two [.., length, width] that differ in length only");
    if (mask.exists() && !fits_mask(context, mask))
      return x.fail(got(context.id == x.id ? "x" : "a context", context, "a key padding mask", mask)
                    << ": it takes booleans [.., keys] (true: may be attended to)");
    return project_back(attend(x, context, mask), x);
  }

  // The heads' results: [.., heads, length, features of a head].
  static constexpr value attend(value x, value context, value mask) {
    const std::int64_t width = last_extent(x), rows = rows_of(x);
    const value weight = in_weight(x), bias = in_bias(x);
    value q, k, v;
    if (x.id == context.id) {
      const value all = projected(x, weight, bias, 0, rows);
      const value turned = Options.rotary ? rotated(head_slice(all, 0, heads + shared)) : all;
      q = head_slice(turned, 0, heads);
      k = head_slice(turned, heads, shared);
      v = head_slice(all, heads + shared, shared);
    } else {
      const value both = projected(context, weight, bias, width, rows - width);
      q = projected(x, weight, bias, 0, width);
      k = head_slice(both, 0, shared);
      v = head_slice(both, shared, shared);
      if (Options.rotary) {
        q = rotated(q);
        k = rotated(k);
      }
    }
    if (mask.exists()) {
      shape_list s = shape_of(mask);
      const std::int64_t keys = s.extents[--s.rank];
      for (int i = 0; i < head_axes + 1; ++i) s.extents[s.rank++] = 1;  // for heads and queries
      s.extents[s.rank++] = keys;
      mask = reshape(mask, s);
    }
    return detail::attend(by_head(q), by_head(k), by_head(v), mask, Options);
  }

  // The packed projections to queries, keys and values.
  static constexpr std::int64_t rows_of(value x) {
    return last_extent(x) + 2 * shared * (last_extent(x) / heads);
  }
  static constexpr value in_weight(value x) {
    const std::int64_t width = last_extent(x), rows = rows_of(x);
    return make_parameter(*x.builder, &interned<Name + ".in_proj_weight">, x.type(), {2, {rows, width}},
                          uniform(detail::square_root(6.0 / static_cast<double>(width + rows))));
  }
  static constexpr value in_bias(value x) {
    if (!Options.bias) return {};
    return make_parameter(*x.builder, &interned<Name + ".in_proj_bias">, x.type(), {1, {rows_of(x)}},
                          fill(0));
  }

  static constexpr value project_back(value y, value x) {
    graph& g = *x.builder;
    const std::int64_t width = last_extent(x);
    const value together = reshape(detail::length_first(y, head_axes), shape_of(x));
    const value weight =
        make_parameter(g, &interned<Name + ".out_proj.weight">, x.type(), {2, {width, width}},
                       uniform(1 / detail::square_root(static_cast<double>(width))));
    if (!Options.bias) return linear(together, weight);
    return linear(together, weight,
                  make_parameter(g, &interned<Name + ".out_proj.bias">, x.type(), {1, {width}}, fill(0)));
  }

  // x by some rows of the packed weight: [.., length, width] -> [.., length, heads, features of a head].
  static constexpr value projected(value x, value weight, value bias, std::int64_t begin, std::int64_t rows) {
    const value part = slice(weight, 0, begin, 1, rows);
    const value y = Options.bias ? linear(x, part, slice(bias, 0, begin, 1, rows)) : linear(x, part);
    const std::int64_t features = last_extent(x) / heads;
    shape_list s = shape_of(y);
    s.extents[s.rank - 1] = rows / features;
    s.extents[s.rank++] = features;
    return reshape(y, s);
  }

  static constexpr value head_slice(value x, std::int64_t begin, std::int64_t count) {
    return slice(x, x.rank() - 2, begin, 1, count);
  }

  static constexpr value rotated(value x) { return detail::rotated(x, x.rank() - 3, Options.rotary_base); }

  // Heads that share keys and values are neighbours.
  static constexpr value by_head(value x) {
    if (head_axes == 1) return detail::heads_first(x, 1);
    shape_list s = shape_of(x);
    const std::int64_t features = s.extents[s.rank - 1], group = s.extents[s.rank - 2] / shared;
    s.extents[s.rank - 2] = shared;
    s.extents[s.rank - 1] = group;
    s.extents[s.rank++] = features;
    return detail::heads_first(reshape(x, s), 2);
  }

  static constexpr bool fits(value x, value context) {
    shape_list a = shape_of(x);
    if (context.rank() != a.rank || context.type() != x.type()) return false;
    a.extents[a.rank - 2] = context.get().shape[a.rank - 2];
    return a == shape_of(context);
  }

  static constexpr bool fits_mask(value context, value mask) {
    shape_list keys = shape_of(context);
    --keys.rank;
    return mask.type() == element::boolean && shape_of(mask) == keys;
  }

  static constexpr text got(std::string_view what, value v, std::string_view other = {}, value w = {}) {
    text t;
    t << "attention<\"" << Name.view() << "\"> got " << what << " " << name_of(v.type());
    v.builder->describe_shape(t, v.get());
    if (!w.exists()) return t;
    t << " and " << other << " " << name_of(w.type());
    v.builder->describe_shape(t, w.get());
    return t;
  }
};

namespace forms {

/// A layer of multi-head attention (Vaswani et al., 2017) of x [.., length, width] to itself, or to a context
/// [.., keys, width] -> [.., length, width]: softmax(scale q k^T) v for each head, where q, k and v are the
/// head's features of projections of x and the context; then a projection of all heads' results. A key
/// padding mask, booleans [.., keys], says which keys may be attended to, for each element of the batch; who
/// may attend to none gets 0 from the heads. Operands: (x), (x, context), (x, mask), (x, context, mask).
/// Owns, as PyTorch's MultiheadAttention, Name.in_proj_weight [3 width, width] (rows of q, k and v),
/// Name.in_proj_bias, Name.out_proj.weight [width, width] and Name.out_proj.bias. With
/// attention_options::key_value_heads = n (Ainslie et al., 2023), each head of keys and values is shared by
/// heads / n neighbouring heads of queries, and in_proj_weight is [width + 2 n width / heads, width]. With
/// attention_options::rotary, queries and keys are turned by their positions, as rotary(x) does.
/// @formula y = concat over heads of softmax(q k^T / sqrt(head's width)) v, projected
/// @shapes floating [.., length, width] -> the same
/// @errors attention_heads attention_width attention_context attention_padding attention_padding_type
///   attention_rotary
/// @torch torch.nn.MultiheadAttention
/// @jax flax.linen.MultiHeadDotProductAttention
/// @given x = [[1, 2], [3, 4]]
/// @gives tl::attention<"attn", tl::attention_options{.heads = 2}>(x) = [[-2.669, 0.8605], [-2.975, 0.8584]]
template <name Name, attention_options Options = attention_options{}, operand X, operand... More>
  requires(sizeof...(More) <= 2)
TAPELESS_FACTORY auto attention(X x, More... context_and_mask) {
  return make<attention_layer<Name, Options>>(x, context_and_mask...);
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
