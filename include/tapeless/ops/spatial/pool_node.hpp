// SPDX-License-Identifier: BSL-1.0
// What the operations of pools share: a pool's windows as a node holds them, and as the axes of a value.
#pragma once

#include <tapeless/ops/spatial/spatial_windows.hpp>
#include <tapeless/ops/spatial/windows.hpp>

namespace tapeless::detail {

/// Where all_windows puts the windows' elements, and these axes: before the last axis, so that a reduction
/// over them has its innermost loop over windows.
inline constexpr int before_last[2][max_spatial] = {{2}, {3, 4}};
constexpr unsigned window_axes(int axes) { return axes == 1 ? 1u << 2 : 3u << 3; }

/// [N, C, L] -> [N, C, elements, positions]; [N, C, H, W] -> [N, C, rows, elements..., columns]
constexpr value pool_windows(value x, const spatial_windows& w) {
  return all_windows(x, w, before_last[w.axes - 1]);
}

/// [N, C, positions...] as it is broadcast to pool_windows.
constexpr value beside_windows(value y, int axes) {
  shape_list s = shape_of(y);
  const std::int64_t last = s.extents[s.rank - 1];
  for (int i = 0; i < axes; ++i) s.extents[s.rank - 1 + i] = 1;
  s.rank += axes;
  s.extents[s.rank - 1] = last;
  return reshape(y, s);
}

/// A pool's windows, and whether padding is among the elements of a mean.
struct pool_attributes {
  spatial_windows windows;
  bool counts_padding = true;
};

constexpr pool_attributes pool_attributes_of(const node& n) {
  pool_attributes a{{.axes = n.rank - 2}, n.attributes[6] != 0};
  for (int s = 0; s < a.windows.axes; ++s) {
    a.windows.along[s] = {.size = n.attributes[2 + s], .stride = n.attributes[s]};
    a.windows.padding[s] = n.attributes[4 + s];
  }
  return a;
}
constexpr void set_attributes(node& n, const pool_attributes& a) {
  for (int s = 0; s < a.windows.axes; ++s) {
    n.attributes[s] = a.windows.along[s].stride;
    n.attributes[2 + s] = a.windows.along[s].size;
    n.attributes[4 + s] = a.windows.padding[s];
  }
  n.attributes[6] = a.counts_padding ? 1 : 0;
}

/// A node of one of the operations.
template <int N>
constexpr value pool_node(const operation& op, const value (&operands)[N], const shape_list& shape,
                          const pool_attributes& a) {
  node n;
  n.op = &op;
  n.type = operands[0].type();
  set_shape(n, shape);
  set_attributes(n, a);
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
