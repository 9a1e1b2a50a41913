// SPDX-License-Identifier: BSL-1.0
// relative_position_scores(table, q, k): what queries make of how far keys are away, for attention's scores.
#pragma once

#include <tapeless/ops/attention/relative_position_bias.hpp>
#include <tapeless/ops/indexing/take_along.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>

namespace tapeless {

/// All distances' products with the queries at once, of which each key picks one: no [queries, keys, width].
template <relative_positions O>
struct relative_position_scores_statement {
  static constexpr std::string_view name = "relative_position_scores";
  static constexpr int arity = 3;
  static constexpr text refusal() {
    if (O.max_distance >= 1) return {};
    return text() << name << " takes a max_distance of 1 or more, but got " << O.max_distance;
  }
  static constexpr value build(value table, value q, value k) {
    const std::int64_t buckets = detail::relative_buckets(O);
    const bool fits = is_floating(table.type()) && table.type() == q.type() && table.rank() == 2 &&
                      table.get().shape[0] == buckets && q.rank() >= 2 && k.rank() >= 2 &&
                      table.get().shape[1] == q.get().shape[q.rank() - 1];
    if (!fits) {
      text takes;
      takes << "a floating table [" << buckets
            << ", width], queries [.., length, width] of its type and keys [.., "
            << "length, any]";
      return detail::do_not_fit(name, {{"a table", table}, {"queries", q}, {"keys", k}}, takes.view());
    }
    graph& g = *q.builder;
    const int rank = q.rank();
    const std::int64_t queries = q.get().shape[rank - 2], keys = k.get().shape[k.rank() - 2];
    const value products =
        matmul(q, transpose_last(table)) * (1.0 / sqrt(make_size(g, q.get().shape[rank - 1])));
    const shape_list places{2, {queries, keys}};
    shape_list of_index{rank, {}};
    for (int i = 0; i < rank; ++i) of_index.extents[i] = i == rank - 2 ? queries : i == rank - 1 ? keys : 1;
    const value ahead = make_iota(g, places, 1, element::i32) - make_iota(g, places, 0, element::i32);
    return take_along_statement<-1>::build(products, reshape(detail::relative_bucket<O>(ahead), of_index));
  }
};

/// What is added to attention's scores, scaled_dot_product_attention(q, k, v, scores), where each distance of
/// key and query has a vector, of which the query makes a number (Shaw, Uszkoreit and Vaswani, 2018): the
/// rows of the table are the distances from -max_distance to max_distance, which farther ones share; without
/// relative_positions::bidirectional those from 0 to max_distance, by which keys are behind the query.
/// Transformer-XL (Dai et al., 2019) has two learned vectors u and v beside: scaled_dot_product_attention(q +
/// u, k, values, relative_position_scores(table, q + v, k)). Of keys only the length counts.
/// @formula y[i][j] = q[i] . table[bucket(j - i)] / sqrt(width)
/// @shapes floating [buckets, width] [.., queries, width] [.., keys, any] -> [.., queries, keys]
/// @errors relative_position_scores
/// @torch none
/// @jax none
/// @given table = [[1], [2], [3]]; x = [[1], [10], [100]]
/// @gives tl::relative_position_scores<tl::relative_positions{.max_distance = 1, .distance =
/// tl::relative_distance::clipped}>(table, x, x) = [[2, 3, 3], [10, 20, 30], [100, 100, 200]]
template <relative_positions Options = relative_positions{.distance = relative_distance::clipped}>
TAPELESS_FACTORY auto relative_position_scores(operand auto table, operand auto q, operand auto k) {
  return make<relative_position_scores_statement<Options>>(table, q, k);
}

}  // namespace tapeless
