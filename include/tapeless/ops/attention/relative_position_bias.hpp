// SPDX-License-Identifier: BSL-1.0
// relative_position_bias<"name", heads>(q, k): learned numbers for attention's scores, by how far keys are
// away.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/indexing/embedding.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/min.hpp>
#include <tapeless/ops/shape/permute.hpp>

namespace tapeless {

/// Which distances share a number.
enum class relative_distance : std::uint8_t {
  logarithmic,  ///< T5's: near ones have their own, those farther away share one in logarithmic steps
  clipped       ///< Shaw's: each has its own up to max_distance, which all beyond share
};

/// Options of relative_position_bias, with T5's defaults.
struct relative_positions {
  int buckets = 32;        ///< logarithmic: how many numbers there are
  int max_distance = 128;  ///< from here on all distances share one
  bool bidirectional =
      true;  ///< keys behind a query have numbers of their own; false: they count as distance 0
  relative_distance distance = relative_distance::logarithmic;
  friend constexpr bool operator==(const relative_positions&, const relative_positions&) = default;
};

namespace detail {

/// Whether the options agree with each other.
constexpr bool fit_together(relative_positions o) {
  if (o.distance == relative_distance::clipped) return o.max_distance >= 1;
  return o.buckets >= 4 && o.buckets % 4 == 0 && o.max_distance > o.buckets / 2;
}

/// How many numbers each head has.
constexpr int relative_buckets(relative_positions o) {
  if (o.distance == relative_distance::logarithmic) return o.buckets;
  return o.bidirectional ? 2 * o.max_distance + 1 : o.max_distance + 1;
}

/// The first distance in logarithmic step number `step`, from 1 on, of `steps` between `exact` and `end`:
/// exact (end / exact)^(step / steps), rounded up.
constexpr std::int64_t first_distance(int step, int steps, int exact, int end) {
  const double ratio = static_cast<double>(end) / exact;
  double goal = 1;
  for (int i = 0; i < step; ++i) goal *= ratio;
  std::int64_t distance = exact;
  for (;; ++distance) {
    double power = 1;
    for (int i = 0; i < steps; ++i) power *= static_cast<double>(distance) / exact;
    if (power >= goal * (1 - 1e-12)) return distance;
  }
}

/// The number of keys' places, of the shape [queries, keys], behind the queries' places: its bucket.
template <relative_positions O>
constexpr value relative_bucket(value ahead) {
  const value back = -ahead;
  if constexpr (O.distance == relative_distance::clipped) {
    const double end = O.max_distance;
    return O.bidirectional ? max(min(ahead, end), -end) + end : min(max(back, 0.0), end);
  } else {
    constexpr int own = O.bidirectional ? O.buckets / 2 : O.buckets, exact = own / 2, steps = own - exact;
    const value distance = O.bidirectional ? abs(ahead) : max(back, 0.0);
    value bucket = min(distance, static_cast<double>(exact));
    for (int i = 1; i < steps; ++i) {
      const std::int64_t first = first_distance(i, steps, exact, O.max_distance);
      bucket = bucket + cast(distance >= static_cast<double>(first), distance.type());
    }
    if (!O.bidirectional) return bucket;
    return bucket + static_cast<double>(own) * cast(ahead > 0.0, ahead.type());
  }
}

}  // namespace detail

/// Of a table [buckets, heads], queries [.., queries, width] and keys [.., keys, width]: [heads, queries,
/// keys].
template <relative_positions O>
struct relative_position_bias_statement {
  static constexpr std::string_view name = "relative_position_bias";
  static constexpr int arity = 3;
  static constexpr text refusal() {
    if (detail::fit_together(O)) return {};
    return text() << name
                  << " takes a max_distance of 1 or more; with logarithmic distances a multiple of 4 "
                     "buckets, and a max_distance above half of it; but got "
                  << O.buckets << " buckets and a max_distance of " << O.max_distance;
  }
  static constexpr value build(value table, value q, value k) {
    const std::int64_t buckets = detail::relative_buckets(O);
    if (table.rank() != 2 || !is_floating(table.type()) || table.get().shape[0] != buckets || q.rank() < 2 ||
        k.rank() < 2) {
      text takes;
      takes << "a floating table [" << buckets << ", heads], queries and keys [.., length, width]";
      return detail::do_not_fit(name, {{"a table", table}, {"queries", q}, {"keys", k}}, takes.view());
    }
    graph& g = *q.builder;
    const shape_list places{2, {q.get().shape[q.rank() - 2], k.get().shape[k.rank() - 2]}};
    const value ahead = make_iota(g, places, 1, element::i32) - make_iota(g, places, 0, element::i32);
    const int heads_first[max_rank] = {2, 0, 1};
    return permute(embedding_operation::build(table, detail::relative_bucket<O>(ahead)), heads_first);
  }
};

/// The same with a table of its own.
template <name Name, int Heads, relative_positions O>
struct relative_position_bias_layer {
  static constexpr std::string_view name = "relative_position_bias";
  static constexpr int arity = 2;
  static constexpr text refusal() {
    if (Heads < 1) return text() << name << " has one head or more, but got " << Heads;
    return relative_position_bias_statement<O>::refusal();
  }
  static constexpr value build(value q, value k) {
    if (!detail::require_kind(name, q, element_kind::floating)) return q;
    const value table = make_parameter(*q.builder, &interned<Name + ".weight">, q.type(),
                                       {2, {detail::relative_buckets(O), Heads}}, normal(1));
    return relative_position_bias_statement<O>::build(table, q, k);
  }
};

namespace forms {

/// What is added to attention's scores, scaled_dot_product_attention(q, k, v, bias): a learned number for
/// each head and each distance of key and query, [heads, queries, keys]. Of queries and keys only the lengths
/// and the type count. The distances are T5's buckets (Raffel et al., 2020): half of them for keys behind the
/// query, half for those in front. Each half has one bucket for every distance up to half of its size, then
/// steps in equal ratios up to max_distance. With relative_distance::clipped each distance has its own, up to
/// max_distance (Shaw et al., 2018, of whom the vectors became numbers here).
/// @formula y[h][i][j] = table[bucket(j - i)][h]
/// @shapes floating [buckets, heads] [.., queries, width] [.., keys, width] -> [heads, queries, keys]
/// @torch none
/// @jax none
/// @errors relative_position_buckets relative_position_table
/// @given table = [[1], [2], [3]]; x = [[0], [0], [0]]
/// @gives tl::relative_position_bias<tl::relative_positions{.max_distance = 1, .distance =
/// tl::relative_distance::clipped}>(table, x, x) = [[[2, 3, 3], [1, 2, 3], [1, 1, 2]]]
template <relative_positions Options = relative_positions{}>
TAPELESS_FACTORY auto relative_position_bias(layer_operand auto table, layer_operand auto q,
                                             layer_operand auto k) {
  return make<relative_position_bias_statement<Options>>(table, q, k);
}

/// A layer that owns its table, Name.weight [buckets, Heads], which starts normally distributed with
/// deviation 1: T5's relative_attention_bias.
template <name Name, int Heads, relative_positions Options = relative_positions{}>
TAPELESS_FACTORY auto relative_position_bias(layer_operand auto q, layer_operand auto k) {
  return make<relative_position_bias_layer<Name, Heads, Options>>(q, k);
}

}  // namespace forms

template <layer_argument... A, class... X>
TAPELESS_FACTORY auto relative_position_bias(const X&... x) {
  if constexpr (requires { forms::relative_position_bias<A.value...>(x...); }) {
    return forms::relative_position_bias<A.value...>(x...);
  } else {
    return detail::refuse_layer<sentence{"relative_position_bias<\"bias\", 8>(q, k)"}, A...>(x...);
  }
}

}  // namespace tapeless
