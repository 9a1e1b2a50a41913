// SPDX-License-Identifier: BSL-1.0
// softmax(scale q k^T) v as one operation, for backends with kernels that keep no scores in memory. Beside it
// stands the same in terms of other operations, for other backends, and for derivatives of derivatives.
#pragma once

#include <tapeless/ops/attention/attention_weights.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/reduction/sum_to.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

namespace detail {

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
                               shape_list shape, std::int64_t rows, std::int64_t columns) {
  node n;
  n.op = &op;
  n.type = x[0].type();
  n.operand_count = operands;
  for (int k = 0; k < operands; ++k) n.operands[k] = x[k].id;
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
struct attention_mask_gradient_operation {
  static constexpr operation op{"attention's gradient of a mask", attention_kind::of_mask};
};

/// The node that computes the result and what is behind it, which has no cotangent. The gradients of
/// queries, keys and values are computed by one node, which takes these numbers again, and that of a mask of
/// numbers, which few have, by another.
struct attention_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    const attention_scores s = attention_scores_of(y.get());
    const attention_places own_places = attention_places_of(s, false);
    const int columns = y.rank() - 1;
    const std::int64_t value_width = x[2].get().shape[columns];
    const value gradient = detail::part_of(g, columns, 0, value_width);
    const bool of_mask = k == own_places.mask;
    if (k > 2 && !(of_mask && s.adds)) return {};  // conditions and keys of random numbers have none
    const value result[] = {gradient, y};
    value operands[max_operands];
    const attention_places places = attention_places_of(s, true);
    operands[0] = x[0];
    operands[1] = x[1];
    operands[places.values] = places.together() ? concat(x + 1, 2, columns) : x[2];
    operands[places.result] = concat(result, 2, columns);
    if (s.masked) operands[places.mask] = x[own_places.mask];
    if (s.drops()) operands[places.random] = x[own_places.random];
    return detail::either(attention_alias<0>::op, composed_cotangent(k, gradient, x, y),
                          of_mask ? gradient_of_mask(operands, s, x) : gradient_of(k, operands, s, x));
  }
  static constexpr operation op{"attention", attention_kind::result, jacobian::general, &cotangent_of};

  /// Precondition: floating [.., queries, width], [.., keys, width] and [.., keys, any] with the
  /// same leading axes, of which k's and v's may be 1 together; widths are literals. A mask is of booleans,
  /// or added. `random` is the key of what is dropped, or absent where nothing is.
  static constexpr value build(value q, value k, value v, value mask, value random,
                               const attention_scores& s) {
    value operands[max_operands] = {q, k, v};
    const attention_places places = attention_places_of(s, false);
    if (s.masked) operands[places.mask] = mask = detail::with_rank(mask, q.rank());
    if (s.drops()) operands[places.random] = random;
    const int count = 3 + (s.masked ? 1 : 0) + (s.drops() ? 1 : 0);
    const std::int64_t queries = q.get().shape[q.rank() - 2], value_width = v.get().shape[v.rank() - 1];
    const value y =
        detail::attention_node(op, operands, count, s, shape_of(q), queries, attention_columns(value_width));
    value p = detail::attention_weights(q, k, mask, s);
    if (s.drops()) p = p * detail::weights_kept(p, random, s.dropout);
    return detail::either(attention_alias<1>::op, matmul(p, v), slice(y, y.rank() - 1, 0, 1, value_width));
  }

 private:
  static constexpr int operands_of_gradients(const attention_scores& s) {
    return 4 + (s.masked ? 1 : 0) + (s.drops() ? 1 : 0) - (attention_places_of(s, true).together() ? 1 : 0);
  }
  // Of queries, keys or values x[k].
  static constexpr value gradient_of(int k, const value* operands, const attention_scores& s,
                                     const value* x) {
    extent_table& extents = x[0].builder->extents;
    const int columns = x[0].rank() - 1, rows = columns - 1;
    const std::int64_t queries = x[0].get().shape[rows], keys = x[1].get().shape[rows],
                       width = x[0].get().shape[columns], value_width = x[2].get().shape[columns];
    const value all = detail::attention_node(
        attention_gradients_operation::op, operands, operands_of_gradients(s), s, shape_of(x[0]),
        extents.add(queries, extents.multiply(2, keys)), width > value_width ? width : value_width);
    const std::int64_t begin = k == 0 ? 0 : k == 1 ? queries : extents.add(queries, keys);
    return slice(slice(all, rows, begin, 1, k == 0 ? queries : keys), columns, 0, 1,
                 k == 2 ? value_width : width);
  }
  // Along queries and keys it is whole; reverse mode sums it where the mask's is not.
  static constexpr value gradient_of_mask(const value* operands, const attention_scores& s, const value* x) {
    const int rows = x[0].rank() - 2;
    return detail::attention_node(attention_mask_gradient_operation::op, operands, operands_of_gradients(s),
                                  s, shape_of(x[3]), x[0].get().shape[rows], x[1].get().shape[rows]);
  }

  static constexpr value composed_cotangent(int k, value g, const value* x, value y) {
    const attention_scores s = attention_scores_of(y.get());
    const value p = weights_of(x, y, s);
    const value kept = kept_of(p, x, y, s);
    if (k == 2) return matmul(transpose_last(kept.exists() ? p * kept : p), g);
    value of_weights = matmul(g, transpose_last(x[2]));
    if (kept.exists()) of_weights = of_weights * kept;
    value of_scores = softmax_operation::cotangent_of(1, of_weights, nullptr, p);
    if (k == 3) {
      shape_list shape = shape_of(x[3]);
      for (int i = shape.rank - 2; i < shape.rank; ++i) shape.extents[i] = of_scores.get().shape[i];
      return sum_to(of_scores, shape);
    }
    if (detail::adds_to_scores(s)) of_scores = of_scores * s.scale;
    return k == 0 ? matmul(of_scores, x[1]) : matmul(transpose_last(of_scores), x[0]);
  }
  // Those that are there: where the node is, not where its derivative is taken.
  template <class F>
  static constexpr value where_it_is(value y, F f) {
    graph& g = *y.builder;
    const int region = g.region, rematerialization = g.rematerialization;
    g.region = y.get().region;
    g.rematerialization = y.get().rematerialization;
    const value found = f();
    g.region = region;
    g.rematerialization = rematerialization;
    return found;
  }
  static constexpr value weights_of(const value* x, value y, const attention_scores& s) {
    const value mask = s.masked ? x[attention_places_of(s, false).mask] : value{};
    return where_it_is(y, [&] { return detail::attention_weights(x[0], x[1], mask, s); });
  }
  static constexpr value kept_of(value p, const value* x, value y, const attention_scores& s) {
    if (!s.drops()) return {};
    const value random = x[attention_places_of(s, false).random];
    return where_it_is(y, [&] { return detail::weights_kept(p, random, s.dropout); });
  }
};

}  // namespace tapeless
