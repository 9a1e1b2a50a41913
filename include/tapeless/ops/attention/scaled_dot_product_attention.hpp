// SPDX-License-Identifier: BSL-1.0
// scaled_dot_product_attention(q, k, v): values, averaged with weights by how well queries and keys agree.
#pragma once

#include <limits>

#include <tapeless/ops/activation/softmax.hpp>
#include <tapeless/ops/attention/attention_options.hpp>
#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/linalg/linear.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>

namespace tapeless {

namespace detail {

/// [queries, keys]: whether the key's index is not above the query's.
constexpr value causal_mask(graph& g, std::int64_t queries, std::int64_t keys) {
  return make_iota(g, {1, {keys}}, 0, element::i32) <= make_iota(g, {2, {queries, 1}}, 0, element::i32);
}

/// softmax(scale q k^T + mask) v for operands that fit.
constexpr value attend(value q, value k, value v, value mask, const attention_options& options) {
  graph& g = *q.builder;
  const std::int64_t width = q.get().shape[q.rank() - 1];
  value scores = matmul(q, transpose_last(k));
  double scale = options.scale;
  if (scale == 0 && extent_table::is_literal(width)) {
    scale = width == 0 ? 1 : 1 / square_root(static_cast<double>(width));
  } else if (scale == 0) {
    scores = scores * (1.0 / sqrt(make_size(g, width)));
    scale = 1;
  }
  const bool boolean = mask.exists() && mask.type() == element::boolean;
  if (mask.exists() && !boolean) {
    scores = scores * scale + mask;
    scale = 1;
  }
  value attended = boolean ? mask : value{};
  if (options.causal) {
    const value causal = causal_mask(g, q.get().shape[q.rank() - 2], k.get().shape[k.rank() - 2]);
    attended = boolean ? mask && causal : causal;
  }
  const unsigned last = 1u << (scores.rank() - 1);
  double nothing = -std::numeric_limits<double>::infinity();
  if (!boolean) nothing = scores.type() == element::f16 ? -65504.0 : -1e30;  // masks hold lowest numbers, too
  return matmul(detail::softmax(scores, last, attended, scale, mask.exists(), nothing), v);
}

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
struct scaled_dot_product_attention_statement {
  static_assert(Options.scale >= 0, "tapeless: scaled_dot_product_attention takes a scale that is positive");
  static constexpr std::string_view name = "scaled_dot_product_attention";
  static constexpr int arity = Operands;
  static constexpr value build(value q, value k, value v, value mask = {}) {
    if (!detail::attention_fits(q, k, v))
      return detail::do_not_fit(name, {{"queries", q}, {"keys", k}, {"values", v}},
                                "[.., queries, width], [.., keys, width] and [.., keys, any] of one floating "
                                "type, whose leading axes broadcast");
    if (mask.exists() && !detail::attention_mask_fits(q, k, mask))
      return detail::do_not_fit(
          name, {{"queries", q}, {"keys", k}, {"a mask", mask}},
          "a mask of booleans (true: may attend) or of the type of the queries (added to "
          "the scores) that broadcasts to [.., queries, keys]");
    return detail::attend(q, k, v, mask, Options);
  }
};

/// softmax(scale q k^T + mask) v (Vaswani et al., 2017): q [.., queries, width], k [.., keys, width] and
/// v [.., keys, n] -> [.., queries, n]; leading axes broadcast. scale is 1 / sqrt(width), unless
/// attention_options::scale gives another. A mask broadcasts to [.., queries, keys]: booleans, true where the
/// query may attend to the key, or numbers that are added to the scaled scores. attention_options::causal:
/// a query attends to keys whose index is not above its own only. A query that may attend to no key gets 0;
/// so does one whose scores all are -1e30 or less by a mask of numbers (in f16 the lowest one).
/// @formula y = softmax(q k^T / sqrt(width) + mask) v
/// @shapes floating [.., queries, width] [.., keys, width] [.., keys, n] -> [.., queries, n]
/// @errors dot_product_attention dot_product_attention_mask
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
