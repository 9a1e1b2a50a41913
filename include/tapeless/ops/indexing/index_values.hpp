// SPDX-License-Identifier: BSL-1.0
// Integers that are used as indices.
#pragma once

#include <tapeless/graph/structural/axis_attributes.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/greater_equal.hpp>
#include <tapeless/ops/pointwise/less.hpp>
#include <tapeless/ops/pointwise/logical_and.hpp>
#include <tapeless/ops/pointwise/logical_or.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless::detail {

/// Whether v's elements can be indices.
constexpr bool is_index(value v) { return is_integer(v.type()); }
/// Whether they are so as they are, and can be counted with.
constexpr bool is_wide_index(value v) { return v.type() == element::i32 || v.type() == element::i64; }
/// Indices as a kernel takes them: others become std::int32_t, or where they may be larger std::int64_t.
constexpr value as_index(value v) {
  return is_wide_index(v) ? v : cast(v, v.type() == element::u32 ? element::i64 : element::i32);
}

constexpr value viewed(value v) {
  while (v.is(family::view)) v = v.operand(0);
  return v;
}

/// Whether v's elements are an input's, which are checked when they are bound.
constexpr bool is_bound(value v) { return viewed(v).is(family::input); }

/// 1 where 0 <= v < bound or v is `ignored`, NaN elsewhere. For indices that the graph computes: nobody can
/// be told that they are out of range, so what is made with them becomes NaN.
constexpr value factor_of_indices(value v, std::int64_t bound, std::int64_t ignored, element type) {
  graph& g = *v.builder;
  value right = v >= 0 && v < make_size(g, bound);
  if (ignored != index_bound::none) right = right || v == static_cast<double>(ignored);
  return sqrt(where(right, make_constant(g, 1, type), make_constant(g, -1, type)));
}

constexpr sliced_elements elements_of_slice(value v) {
  const node& from = v.operand(0).get();
  std::int64_t inner = 1;
  for (int i = slice_of(v.get()).axis + 1; i < from.rank; ++i)
    inner = v.builder->extents.multiply(inner, from.shape[i]);
  return tapeless::elements_of_slice(v.get(), from, inner);
}

/// Notes that an input's elements, where v is one or a view of one, select among `bound` elements, or are
/// `ignored`.
constexpr void check_indices(value v, std::int64_t bound, std::int64_t ignored = index_bound::none) {
  sliced_elements elements;  // of an input in another order all are checked
  for (; v.is(family::view); v = v.operand(0)) {
    const operation& op = *v.get().op;
    if (op.is(view_kind::slice))
      elements = elements_of_slice(v);
    else if (!op.is(view_kind::reshape))
      elements = {};
  }
  if (!v.is(family::input)) return;
  const index_bound one{v.id, bound, ignored, elements};
  for (const index_bound& known : v.builder->index_bounds)
    if (known == one) return;
  v.builder->index_bounds.push(one);
}
constexpr value checked_index(value v, std::int64_t bound) {
  check_indices(v, bound);
  return as_index(v);
}

}  // namespace tapeless::detail
