// SPDX-License-Identifier: BSL-1.0
// The largest or the smallest of the elements that an index brings to each place.
#pragma once

#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/indexing/scatter_add.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/min.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

/// No derivative flows through it: the alias of its result finds the elements again.
template <scatter_kind Kind>
struct scatter_extreme_operation {
  static constexpr value cotangent_of(int, value, const value*, value) { return {}; }
  static constexpr operation op{Kind == scatter_kind::largest ? "scatter_largest" : "scatter_smallest", Kind,
                                jacobian::diagonal, &cotangent_of};
};

/// An alias of y, which is made from the source, the index, and x where there is one. Equal elements of a
/// place share its cotangent evenly, x's own among them.
struct extreme_of_place_operation {
  static constexpr value cotangent_of(int k, value g, const value* operands, value y) {
    if (k == 0 || k == 2) return {};
    const value source = operands[1], index = operands[2];
    const int axis = axis_of(y.get());
    const element counted = computed_in(y.type());  // 16 bits do not count far
    const value tied = source == gather(y, axis, index);
    value own, count = scatter_add(index, cast(tied, counted), axis, shape_of(y));
    if (y.get().operand_count > 3) {
      own = operands[3] == y;
      count = count + cast(own, counted);
    }
    const value share =
        cast(cast(g, counted) / where(count == 0, 1, count), g.type());  // none is equal where y is NaN
    return k == 1 ? where(tied, gather(share, axis, index), 0.0) : where(own, share, 0.0);
  }
  static constexpr operation op{"the extreme of a place", family::alias, jacobian::general, &cotangent_of};
};

/// For each element of `shape`, the largest or smallest of all elements of the source that the index brings
/// there, and of x's own where x exists: NaN if one is NaN; without any, the end of all numbers.
template <scatter_kind Kind>
constexpr value scatter_extreme(value x, value index, value source, int axis, const shape_list& shape) {
  if (is_half(source.type())) {
    const value own = x.exists() ? cast(x, element::f32) : x;
    return cast(scatter_extreme<Kind>(own, index, cast(source, element::f32), axis, shape), source.type());
  }
  index = detail::checked_index(index, shape.extents[axis]);
  node brought = detail::unary_node(scatter_extreme_operation<Kind>::op, source, shape);
  brought.operands[brought.operand_count++] = index.id;
  set_axis(brought, axis);
  value y = source.insert(brought);
  if (x.exists()) y = Kind == scatter_kind::largest ? max(x, y) : min(x, y);
  node n = detail::unary_node(extreme_of_place_operation::op, y, shape);
  for (const value& operand : {source, index, x})
    if (operand.exists()) n.operands[n.operand_count++] = operand.id;
  set_axis(n, axis);
  return y.insert(n);
}

}  // namespace tapeless
