// SPDX-License-Identifier: BSL-1.0
// The weights of an attention in terms of other operations: scores, what is added to them, and their softmax
// among the keys that a query attends to.
#pragma once

#include <limits>

#include <tapeless/ops/activation/dropout.hpp>
#include <tapeless/ops/activation/softmax.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/exp2.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>

namespace tapeless::detail {

/// [queries, keys]: whether the key's index is not above the query's.
constexpr value causal_mask(graph& g, std::int64_t queries, std::int64_t keys) {
  return make_iota(g, {1, {keys}}, 0, element::i32) <= make_iota(g, {2, {queries, 1}}, 0, element::i32);
}

/// [queries, keys]: whether a query attends to a key by their places, which is so for the last `always` keys;
/// absent where all do.
constexpr value places_mask(graph& g, std::int64_t queries, std::int64_t keys, const attention_scores& s,
                            int always) {
  if (!s.causal && s.window == 0) return {};
  if (s.window == 0 && always == 0) return causal_mask(g, queries, keys);
  const value key = make_iota(g, {1, {keys}}, 0, element::i32);
  const value query = make_iota(g, {2, {queries, 1}}, 0, element::i32);
  value near;
  if (s.causal) near = key <= query;
  if (s.window > 0) {
    const auto window = static_cast<double>(s.window);
    const value not_before = query - key < window;
    near = near.exists() ? near && not_before : not_before && key - query < window;
  }
  return always == 0 ? near : near || key >= make_size(g, keys) - static_cast<double>(always);
}

/// How much less a score is for each place that a key is away (Press, Smith and Lewis, 2022), one for each of
/// so many heads: of a power of 2 heads n it is 2^(-8 / n) and its powers; others follow with every other one
/// of twice as many.
constexpr value slopes_of_heads(graph& g, std::int64_t count, element type) {
  double power = 1;
  while (2 * power <= static_cast<double>(count)) power *= 2;
  const value head = make_iota(g, {1, {count}}, 0, type);
  return exp2(where(head < power, (head + 1.0) * (-8 / power), (2.0 * (head - power) + 1.0) * (-4 / power)));
}

/// -slope |query - key| for each head, which broadcasts to the scores [.., heads, queries, keys], or with
/// groups [.., heads, group, queries, keys].
constexpr value distance_bias(value scores, int head_axes, int always) {
  graph& g = *scores.builder;
  const int last = scores.rank() - 1;
  shape_list heads{head_axes + 2, {}};
  std::int64_t count = 1;
  for (int i = 0; i < heads.rank; ++i) {
    heads.extents[i] = i < head_axes ? scores.get().shape[last - 1 - head_axes + i] : 1;
    count *= heads.extents[i];
  }
  const std::int64_t queries = scores.get().shape[last - 1], keys = scores.get().shape[last];
  const element type = computed_in(scores.type());
  const value key = make_iota(g, {1, {keys}}, 0, type);
  value distance = abs(key - make_iota(g, {2, {queries, 1}}, 0, type));
  if (always > 0) distance = where(key >= make_size(g, keys) - static_cast<double>(always), 0.0, distance);
  return cast(-reshape(slopes_of_heads(g, count, type), heads) * distance, scores.type());
}

/// What is added to a score for no attention, as masks of numbers have it.
constexpr double nothing_attended(element type) { return type == element::f16 ? -65504.0 : -1e30; }

/// Whether a softmax is of scaled scores with something added to them.
constexpr bool adds_to_scores(const attention_scores& s) { return s.adds || s.sloping > 0; }

/// softmax(scale q k^T + what is added), with 0 where a query does not attend to a key. A scale of 0 stands
/// for one by the width, which is no literal then. The last `always` keys have no place. Nothing is dropped.
constexpr value attention_weights(value q, value k, value mask, const attention_scores& s, int always = 0) {
  graph& g = *q.builder;
  value scores = matmul(q, transpose_last(k));
  double scale = s.scale;
  if (scale == 0) {
    scores = scores * (1.0 / sqrt(make_size(g, q.get().shape[q.rank() - 1])));
    scale = 1;
  }
  if (s.sloping > 0) {
    scores = scores * scale + distance_bias(scores, s.head_axes, always);
    scale = 1;
  }
  if (s.adds) {
    scores = scores * scale + mask;
    scale = 1;
  }
  const bool boolean = s.masked && !s.adds;
  value attended = boolean ? mask : value{};
  const value places = places_mask(g, q.get().shape[q.rank() - 2], k.get().shape[k.rank() - 2], s, always);
  if (places.exists()) attended = boolean ? mask && places : places;
  const double nothing = boolean ? -std::numeric_limits<double>::infinity() : nothing_attended(scores.type());
  const unsigned last = 1u << (scores.rank() - 1);
  return softmax(scores, last, attended, scale, s.masked || s.window > 0, nothing);
}

/// What the weights are multiplied by that a training step drops by chance.
constexpr value weights_kept(value weights, value random_key, double dropout) {
  const value random = random_numbers<random_operation>(*weights.builder, shape_of(weights), random_key);
  return kept_factors(weights, random >= dropout, dropout);
}

}  // namespace tapeless::detail
