// SPDX-License-Identifier: BSL-1.0
// scaled_dot_product_attention(q, k, v): values, averaged with weights by how well queries and keys agree.
#pragma once

#include <tapeless/ops/attention/attention_operation.hpp>
#include <tapeless/ops/attention/attention_options.hpp>
#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/linalg/linear.hpp>
#include <tapeless/ops/linalg/matmul.hpp>

namespace tapeless {

namespace detail {

/// Whether kernels take such operands.
constexpr bool fits_attention_kernels(value q, value k, value v, value mask, const attention_scores& s,
                                      int always) {
  if (s.dropout == 1 || always != 0) return false;
  if (mask.exists() && mask.rank() > q.rank()) return false;
  if (q.rank() != k.rank() || q.rank() != v.rank()) return false;
  const node &a = q.get(), &b = k.get(), &c = v.get();
  if (a.shape[q.rank() - 2] == 1) return false;  // products with a vector are faster
  for (int d = 0; d + 2 < q.rank(); ++d)
    if (b.shape[d] != c.shape[d] || (b.shape[d] != a.shape[d] && b.shape[d] != 1)) return false;
  const std::int64_t width = a.shape[q.rank() - 1], value_width = c.shape[q.rank() - 1];
  return extent_table::is_literal(width) && extent_table::is_literal(value_width) && width > 0 &&
         value_width > 0;
}

/// How many heads there are, which have so many axes before queries and width.
constexpr std::int64_t count_heads(value q, int head_axes) {
  std::int64_t count = 1;
  for (int i = 0; i < head_axes; ++i) count *= q.get().shape[q.rank() - 3 - i];
  return count;
}

/// softmax(scale q k^T + mask) v for operands that fit, with so many axes of heads; the last `always` keys
/// have no place.
constexpr value attend(value q, value k, value v, value mask, const attention_options& options,
                       int head_axes = 1, int always = 0) {
  graph& g = *q.builder;
  const std::int64_t width = q.get().shape[q.rank() - 1];
  attention_scores s{.causal = options.causal,
                     .window = options.window,
                     .masked = mask.exists(),
                     .scale = options.scale,
                     .adds = mask.exists() && mask.type() != element::boolean,
                     .dropout = options.dropout > 0 && g.is_training() ? options.dropout : 0,
                     .sloping = options.alibi ? count_heads(q, head_axes) : 0,
                     .head_axes = options.alibi ? head_axes : 1};
  if (s.scale == 0 && extent_table::is_literal(width))
    s.scale = width == 0 ? 1 : 1 / square_root(static_cast<double>(width));
  value random;
  if (s.drops()) random = random_key(g, static_cast<double>(g.random_streams++));
  if (fits_attention_kernels(q, k, v, mask, s, always))
    return attention_operation::build(q, k, v, mask, random, s);
  value weights = attention_weights(q, k, mask, s, always);
  if (s.drops()) weights = weights * weights_kept(weights, random, s.dropout);
  return matmul(weights, v);
}

/// [.., heads, n, width] -> [.., groups, heads / groups, n, width].
constexpr value grouped_heads(value x, std::int64_t groups) {
  shape_list s = shape_of(x);
  const int axis = s.rank++ - 3;
  for (int i = s.rank - 1; i > axis + 1; --i) s.extents[i] = s.extents[i - 1];
  s.extents[axis + 1] = x.builder->extents.divide(s.extents[axis], groups);
  s.extents[axis] = groups;
  return reshape(x, s);
}

/// Whether each head of keys and values can be shared by equally many of queries, which are literals.
constexpr bool heads_can_be_shared(value q, value k, value v) {
  if (q.rank() < 3 || k.rank() < 3 || v.rank() < 3 || q.rank() == max_rank) return false;
  const std::int64_t heads = q.get().shape[q.rank() - 3], shared = k.get().shape[k.rank() - 3];
  return extent_table::is_literal(heads) && shared > 0 && v.get().shape[v.rank() - 3] == shared &&
         heads % shared == 0;
}

/// What is said of options that all forms of attention read.
constexpr text refused_attention(std::string_view op, const attention_options& o) {
  text t;
  t << op << " takes a ";
  if (!(o.scale >= 0)) return t << "scale that is positive, or 0 for the usual one, but got " << o.scale;
  if (!(o.dropout >= 0 && o.dropout <= 1)) return t << "dropout from 0 to 1, but got " << o.dropout;
  if (o.window < 0) return t << "window of 1 key or more, or 0 for all, but got " << o.window;
  return {};
}

/// A statement that draws random numbers where it has dropout.
template <bool Draws>
struct drawing_statement {};
template <>
struct drawing_statement<true> {
  static constexpr bool built_once = true;
};

// [.., queries, width] [.., keys, width] [.., keys, value width]; leading axes broadcast.
constexpr bool attention_fits(value q, value k, value v) {
  if (q.rank() < 2 || k.rank() < 2 || v.rank() < 2 || !is_floating(q.type())) return false;
  shape_list a = shape_of(q), b = shape_of(k), c = shape_of(v), ab, abc;
  if (q.type() != k.type() || q.type() != v.type() || a.extents[a.rank - 1] != b.extents[b.rank - 1] ||
      b.extents[b.rank - 2] != c.extents[c.rank - 2])
    return false;
  a.rank -= 2;
  b.rank -= 2;
  c.rank -= 2;
  return broadcast(a, b, ab) && broadcast(ab, c, abc);
}

// The mask broadcasts to the scores' shape.
constexpr bool attention_mask_fits(value q, value k, value mask) {
  if (mask.type() != element::boolean && mask.type() != q.type()) return false;
  shape_list a = shape_of(q), b = shape_of(k), scores, fitted;
  const std::int64_t queries = a.extents[a.rank - 2], keys = b.extents[b.rank - 2];
  a.rank -= 2;
  b.rank -= 2;
  if (!broadcast(a, b, scores)) return false;
  scores.extents[scores.rank++] = queries;
  scores.extents[scores.rank++] = keys;
  return broadcast(shape_of(mask), scores, fitted) && fitted == scores;
}

}  // namespace detail

template <attention_options Options, int Operands>
struct scaled_dot_product_attention_statement : detail::drawing_statement<(Options.dropout > 0)> {
  static constexpr std::string_view name = "scaled_dot_product_attention";
  static constexpr text refusal() { return detail::refused_attention(name, Options); }
  static constexpr int arity = Operands;
  static constexpr value build(value q, value k, value v, value mask = {}) {
    if constexpr (Options.enable_gqa) return of_shared_heads(q, k, v, mask);
    return of_heads(q, k, v, mask, 1);
  }

 private:
  static constexpr value of_shared_heads(value q, value k, value v, value mask) {
    if (!detail::heads_can_be_shared(q, k, v))
      return detail::do_not_fit(
          name, {{"queries", q}, {"keys", k}, {"values", v}},
          "[.., heads, queries, width], [.., shared, keys, width] and [.., shared, keys, "
          "any] with enable_gqa, where heads is a multiple of shared");
    const std::int64_t shared = k.get().shape[k.rank() - 3];
    if (mask.exists() && mask.rank() >= 3 && mask.rank() < max_rank)
      mask = detail::grouped_heads(mask, mask.get().shape[mask.rank() - 3] == 1 ? 1 : shared);
    const value y = of_heads(detail::grouped_heads(q, shared), detail::grouped_heads(k, shared),
                             detail::grouped_heads(v, shared), mask, 2);
    if (q.builder->failed()) return y;
    shape_list s = shape_of(y);
    s.extents[s.rank - 4] = s.extents[s.rank - 4] * s.extents[s.rank - 3];
    for (int i = s.rank - 3; i + 1 < s.rank; ++i) s.extents[i] = s.extents[i + 1];
    --s.rank;
    return reshape(y, s);
  }

  static constexpr value of_heads(value q, value k, value v, value mask, int head_axes) {
    if (!detail::attention_fits(q, k, v))
      return detail::do_not_fit(name, {{"queries", q}, {"keys", k}, {"values", v}},
                                "[.., queries, width], [.., keys, width] and [.., keys, any] of one floating "
                                "type, whose leading axes broadcast");
    if (mask.exists() && !detail::attention_mask_fits(q, k, mask))
      return detail::do_not_fit(
          name, {{"queries", q}, {"keys", k}, {"a mask", mask}},
          "a mask of booleans (true: may attend) or of the type of the queries (added to "
          "the scores) that broadcasts to [.., queries, keys]");
    if (Options.alibi && (q.rank() < 3 || !extent_table::is_literal(q.get().shape[q.rank() - 3])))
      return detail::do_not_fit(name, {{"queries", q}, {"keys", k}},
                                "[.., heads, queries, width] with alibi, where heads is an integer");
    return detail::attend(q, k, v, mask, Options, head_axes);
  }
};

/// softmax(scale q k^T + mask) v (Vaswani et al., 2017): q [.., queries, width], k [.., keys, width] and v
/// [.., keys, n] -> [.., queries, n]; leading axes broadcast. scale is 1 / sqrt(width), unless
/// attention_options::scale gives another. A mask broadcasts to [.., queries, keys]: booleans, true where the
/// query may attend to the key, or numbers that are added to the scaled scores. attention_options::causal: a
/// query attends to keys whose index is not above its own only. A query that may attend to no key gets 0; so
/// does one whose scores all are -1e30 or less by a mask of numbers (in f16 the lowest one). tl::cpu goes by
/// blocks (Dao et al., 2022) and keeps no [.., queries, keys] in memory. It does keep them for the gradient
/// of a mask of numbers, with 16 bits, for a single query, and where derivatives of derivatives are taken.
/// tl::cuda with cuDNN keeps none of 16 bits, where there is no mask, window, slope or dropout and widths are
/// multiples of 8.
///   enable_gqa   keys and values [.., shared, keys, ..], each of whose heads neighbouring heads of queries
///                [.., heads, queries, width] share (Ainslie et al., 2023)
///   window       a query attends to keys less than so many places away (Beltagy, Peters and Cohan, 2020)
///   alibi        scores less slope |query - key|, in head h of n = 2^i the slope 2^(-8 (h + 1) / n) (Press,
///                Smith and Lewis, 2022)
///   dropout      weights that are 0 by chance in training, the others 1 / (1 - dropout) times as large
/// @formula y = softmax(q k^T / sqrt(width) + mask) v
/// @shapes floating [.., queries, width] [.., keys, width] [.., keys, n] -> [.., queries, n]
/// @errors dot_product_attention dot_product_attention_mask attention_shared_heads
/// @torch torch.nn.functional.scaled_dot_product_attention
/// @jax jax.nn.dot_product_attention
/// @given q = [[1, 0]]; k = [[1, 0], [0, 1]]; v = [[10, 20], [30, 40]]
/// @gives tl::scaled_dot_product_attention(q, k, v) = [[16.6, 26.6]]
template <attention_options Options = attention_options{}, operand Q, operand K, operand V, operand... Mask>
  requires(sizeof...(Mask) <= 1)
TAPELESS_FACTORY auto scaled_dot_product_attention(Q q, K k, V v, Mask... mask) {
  return make<scaled_dot_product_attention_statement<Options, 3 + int(sizeof...(Mask))>>(q, k, v, mask...);
}

}  // namespace tapeless
