// SPDX-License-Identifier: BSL-1.0
// The kernel family of attention without scores in memory.
#pragma once

#include <tapeless/plan/families/planned_axis_loop.hpp>

namespace tapeless {

/// The loops are those of the heads; behind their strides an operand has that of its rows, and that of its
/// columns. `result` is what the gradients need of the result, side by side: its gradient, itself and what
/// is behind it. `mask` has a row of each query; `random` is the key of random numbers. Both may be
/// absent.
struct attention_arguments {
  int rank = 0;
  std::int64_t extents[max_rank] = {};
  std::int64_t queries = 0, keys = 0, width = 0, value_width = 0;
  attention_scores scores = {};
  strided_operand query = {}, key = {}, values = {}, result = {}, mask = {}, random = {}, target = {};
};

/// What its kernels are told apart by.
struct attention_key {
  attention_kind computes;
  element type;
  bool adds = false;   // something to the scores
  bool drops = false;  // weights
};

/// target(.., :, :) of query(.., :, :), key(.., :, :), values(.., :, :), as attention_kind has it; all
/// operands have the heads' axes.
struct planned_attention {
  static constexpr family kind = family::attention;
  static constexpr std::string_view label = "attention";
  static constexpr bool has_expansion = true;
  static constexpr operand_layout layout = operand_layout::memory;
  static constexpr int operands = 7;
  using arguments = attention_arguments;
  using key = attention_key;

  attention_kind computes = attention_kind::result;
  element type = element::f32;
  int rank = 0;  // of the heads
  std::int64_t extents[max_rank] = {};
  std::int64_t queries = 0, keys = 0, width = 0, value_width = 0;
  attention_scores scores = {};
  access query = {}, key_rows = {}, values = {}, result = {}, mask = {}, random = {}, computed = {};

  static constexpr planned_attention make(graph& g, int id);

  constexpr key kernel_key() const {
    return {computes, type, scores.adds || scores.sloping > 0, scores.drops()};
  }
  template <class F>
  constexpr void for_each_source(F f) const {
    f(query);
    f(key_rows);
    if (values.base != key_rows.base) f(values);
    if (result.base >= 0) f(result);
    if (mask.base >= 0) f(mask);
    if (random.base >= 0) f(random);
  }
  constexpr const access& target() const { return computed; }
  template <class Launch>
  void launch(attention_arguments& launched, Launch& at) const;
};

namespace detail {

/// Where an operand is that may be broadcast along heads.
constexpr access resolve_heads(graph& g, int id) {
  access a;
  resolve(g, id, a);
  for (int d = 0; d < g.nodes[id].rank; ++d)
    if (g.nodes[id].shape[d] == 1) a.strides[d] = 0;
  return a;
}

}  // namespace detail

constexpr planned_attention planned_attention::make(graph& g, int id) {
  const node& n = g.nodes[id];
  const node& q = g.nodes[n.operands[0]];
  planned_attention p{.computes = n.op->as<attention_kind>(), .type = n.type, .rank = n.rank - 2};
  const int rows = p.rank, columns = p.rank + 1;
  p.scores = attention_scores_of(n);
  const attention_places places = attention_places_of(p.scores, p.computes != attention_kind::result);
  const node& k = g.nodes[n.operands[1]];
  for (int d = 0; d < p.rank; ++d) p.extents[d] = q.shape[d];
  p.queries = q.shape[rows];
  p.width = q.shape[columns];
  p.keys = k.shape[rows];
  p.value_width = g.nodes[n.operands[places.values]].shape[columns] - (places.together() ? p.width : 0);
  p.query = detail::resolve_heads(g, n.operands[0]);
  p.key_rows = detail::resolve_heads(g, n.operands[1]);
  p.values = detail::resolve_heads(g, n.operands[places.values]);
  if (places.together())
    p.values.offset = g.extents.add(p.values.offset, g.extents.multiply(p.values.strides[columns], p.width));
  if (places.result >= 0) p.result = detail::resolve_heads(g, n.operands[places.result]);
  if (places.mask >= 0) p.mask = detail::resolve_heads(g, n.operands[places.mask]);
  if (places.random >= 0) resolve(g, n.operands[places.random], p.random);
  p.computed = detail::resolve_heads(g, id);
  return p;
}

template <class Launch>
void planned_attention::launch(attention_arguments& launched, Launch& at) const {
  launched.rank = rank;
  for (int d = 0; d < rank; ++d) launched.extents[d] = at.extent(extents[d]);
  launched.queries = at.extent(queries);
  launched.keys = at.extent(keys);
  launched.width = width;
  launched.value_width = value_width;
  launched.scores = scores;
  at.place(query, type, launched.query, rank + 2);
  at.place(key_rows, type, launched.key, rank + 2);
  at.place(values, type, launched.values, rank + 2);
  if (result.base >= 0) at.place(result, type, launched.result, rank + 2);
  if (mask.base >= 0) at.place(mask, scores.adds ? type : element::boolean, launched.mask, rank + 2);
  if (random.base >= 0) at.place(random, element::i64, launched.random, 0);
  at.place(computed, type, launched.target, rank + 2);
}

}  // namespace tapeless
