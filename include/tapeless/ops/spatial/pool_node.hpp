// SPDX-License-Identifier: BSL-1.0
// What the operations of pools share: a pool's windows as a node holds them, and as the axes of a value.
#pragma once

#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/spatial/spatial_windows.hpp>

namespace tapeless::detail {

/// Where all_windows puts the windows' elements, and these axes: before the last axis, so that a reduction
/// over them has its innermost loop over windows.
inline constexpr int before_last[][max_spatial] = {{2}, {3, 4}, {3, 5, 6}};
constexpr unsigned window_axes(int axes) {
  unsigned mask = 0;
  for (int s = 0; s < axes; ++s) mask |= 1u << before_last[axes - 1][s];
  return mask;
}

/// [N, C, L] -> [N, C, elements, positions]; [N, C, H, W] -> [N, C, rows, elements..., columns];
/// [N, C, D, H, W] -> [N, C, planes, elements, rows, elements..., columns]
constexpr value pool_windows(value x, const spatial_windows& w) {
  return all_windows(x, w, before_last[w.axes - 1]);
}

/// [N, C, positions...] as it is broadcast to pool_windows.
constexpr value beside_windows(value y, int axes) {
  shape_list s{y.rank() + axes, {}};
  for (int i = 0, k = 0; i < s.rank; ++i)
    s.extents[i] = (window_axes(axes) >> i & 1u) != 0 ? 1 : y.get().shape[k++];
  return reshape(y, s);
}

/// A node of one of the operations.
template <int N>
constexpr value pool_node(const operation& op, const value (&operands)[N], const shape_list& shape,
                          const pooling_windows& a) {
  node n;
  n.op = &op;
  n.type = operands[0].type();
  set_shape(n, shape);
  set_pooling(n, a);
  for (const value& v : operands) n.operands[n.operand_count++] = v.id;
  return operands[0].insert(n);
}

/// The shape of what a pool of x has at its windows' positions.
constexpr shape_list pooled_shape(value x, const spatial_windows& w) {
  shape_list s = shape_of(x);
  for (int i = 0; i < w.axes; ++i)
    s.extents[2 + i] =
        window_count(*x.builder, x.builder->extents.add(s.extents[2 + i], 2 * w.padding[i]), w.along[i]);
  return s;
}

}  // namespace tapeless::detail
