// SPDX-License-Identifier: BSL-1.0
// softmax(scale q k^T) v as one operation, for backends with kernels that keep no scores in memory. Beside it
// stands the same in terms of other operations, for other backends, and for derivatives of derivatives.
#pragma once

#include <limits>

#include <tapeless/ops/activation/softmax.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

namespace detail {

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

/// softmax(scale q k^T), with 0 where a query does not attend to a key; the mask is of booleans, or absent.
constexpr value attention_weights(value q, value k, value mask, const attention_scores& s) {
  const value scores = matmul(q, transpose_last(k));
  const int last = scores.rank() - 1;
  const value places = places_mask(*q.builder, scores.get().shape[last - 1], scores.get().shape[last], s, 0);
  const value attended = !mask.exists() ? places : places.exists() ? mask && places : mask;
  const bool may_be_empty = mask.exists() || s.window > 0;
  const double nothing = mask.exists() ? -std::numeric_limits<double>::infinity() : -1e30;
  return softmax(scores, 1u << last, attended, s.scale, may_be_empty, nothing);
}

/// Values of x along an axis, which are x itself where they are all of it, and what is padded where x is
/// that.
constexpr value part_of(value x, int axis, std::int64_t begin, std::int64_t count) {
  if (x.is(family::pad) && begin == 0 && x.operand(0).get().shape[axis] == count) {
    const slice_places p = slice_of(x.get());
    if (p.axis == axis && p.begin == 0 && p.step == 1) return x.operand(0);
  }
  return slice(x, axis, begin, 1, count);
}

constexpr value attention_node(const operation& op, const value* x, int operands, const attention_scores& s,
                               std::int64_t rows, std::int64_t columns) {
  node n;
  n.op = &op;
  n.type = x[0].type();
  n.operand_count = operands;
  for (int k = 0; k < operands; ++k) n.operands[k] = x[k].id;
  shape_list shape = shape_of(x[0]);
  shape.extents[shape.rank - 2] = rows;
  shape.extents[shape.rank - 1] = columns;
  set_shape(n, shape);
  set_attention_scores(n, s);
  return x[0].insert(n);
}

/// `composed`, and what is the same by a kernel.
constexpr value either(const operation& op, value composed, value by_kernel) {
  node n = unary_node(op, composed, shape_of(composed));
  n.operands[n.operand_count++] = by_kernel.id;
  return composed.insert(n);
}

/// The same with axes of extent 1 in front.
constexpr value with_rank(value x, int rank) {
  shape_list s{rank, {}};
  for (int i = 0; i < rank; ++i)
    s.extents[i] = i < rank - x.rank() ? 1 : x.get().shape[i - (rank - x.rank())];
  return x.rank() == rank ? x : reshape(x, s);
}

constexpr value first_operand(const value* x, const node&) { return x[0]; }

}  // namespace detail

/// An alias of operand 0; of operand 1, which a kernel computes, for backends that have it. Its derivative is
/// that of operand Differentiated.
template <int Differentiated>
struct attention_alias {
  static constexpr value cotangent_of(int k, value g, const value*, value) {
    return k == Differentiated ? g : value{};
  }
  static constexpr operation op{"attention", family::alias, jacobian::general, &cotangent_of,
                                &detail::first_operand};
};

struct attention_gradients_operation {
  static constexpr operation op{"attention's gradients", attention_kind::gradients};
};

/// The node that computes the result and the logarithms behind it, which have no cotangent. The gradients are
/// computed by one node, which takes them again.
struct attention_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    const attention_scores s = attention_scores_of(y.get());
    extent_table& extents = y.builder->extents;
    const int columns = y.rank() - 1, rows = columns - 1;
    const std::int64_t queries = y.get().shape[rows], keys = x[1].get().shape[rows],
                       width = x[0].get().shape[columns], value_width = x[2].get().shape[columns];
    const value gradient = detail::part_of(g, columns, 0, value_width);
    const value beside[] = {gradient, y};
    value operands[] = {x[0], x[1], x[2], concat(beside, 2, columns)};
    if (s.masked) {  // five are too many for a node
      operands[1] = concat(x + 1, 2, columns);
      operands[2] = operands[3];
      operands[3] = x[3];
    }
    const value all = detail::attention_node(attention_gradients_operation::op, operands, 4, s,
                                             extents.add(queries, extents.multiply(2, keys)),
                                             width > value_width ? width : value_width);
    const std::int64_t begin = k == 0 ? 0 : k == 1 ? queries : extents.add(queries, keys);
    const value own = slice(slice(all, rows, begin, 1, k == 0 ? queries : keys), columns, 0, 1,
                            k == 2 ? value_width : width);
    return detail::either(attention_alias<0>::op, composed_cotangent(k, gradient, x, y), own);
  }
  static constexpr operation op{"attention", attention_kind::result, jacobian::general, &cotangent_of};

  /// Precondition: floats or doubles [.., queries, width], [.., keys, width] and [.., keys, any] with the
  /// same leading axes, of which k's and v's may be 1 together; widths are literals. A mask is of booleans.
  static constexpr value build(value q, value k, value v, value mask, const attention_scores& s) {
    value operands[] = {q, k, v, mask};
    if (mask.exists()) operands[3] = detail::with_rank(mask, q.rank());
    const shape_list queries = shape_of(q);
    const std::int64_t value_width = v.get().shape[v.rank() - 1];
    const value y = detail::attention_node(op, operands, mask.exists() ? 4 : 3, s,
                                           queries.extents[queries.rank - 2], value_width + 1);
    return detail::either(attention_alias<1>::op, matmul(detail::attention_weights(q, k, operands[3], s), v),
                          slice(y, y.rank() - 1, 0, 1, value_width));
  }

 private:
  static constexpr value composed_cotangent(int k, value g, const value* x, value y) {
    const value p = weights_of(x, y);
    if (k == 2) return matmul(transpose_last(p), g);
    const value of_scores = softmax_operation::cotangent_of(1, matmul(g, transpose_last(x[2])), nullptr, p);
    return k == 0 ? matmul(of_scores, x[1]) : matmul(transpose_last(of_scores), x[0]);
  }
  // Those that are there: where the node is, not where its derivative is taken.
  static constexpr value weights_of(const value* x, value y) {
    graph& g = *y.builder;
    const int region = g.region, rematerialization = g.rematerialization;
    g.region = y.get().region;
    g.rematerialization = y.get().rematerialization;
    const attention_scores s = attention_scores_of(y.get());
    const value p = detail::attention_weights(x[0], x[1], s.masked ? x[3] : value{}, s);
    g.region = region;
    g.rematerialization = rematerialization;
    return p;
  }
};

}  // namespace tapeless
