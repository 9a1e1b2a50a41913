// SPDX-License-Identifier: BSL-1.0
// Where a node's elements are: views are resolved to an offset and strides into the memory of their base.
#pragma once

#include <tapeless/graph/core/graph.hpp>
#include <tapeless/graph/structural/axis_attributes.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/graph/structural/sliding_windows.hpp>

namespace tapeless {

/// Element (i0, i1, ...) of the viewed node is element offset + i0*strides[0] + i1*strides[1] + ... of the
/// memory of node `base`. Offset and strides are extents as the graph's table numbers them.
struct access {
  int base = -1;
  std::int64_t offset = 0;
  std::int64_t strides[max_rank] = {};
  std::int64_t iteration_stride =
      0;  // how far the elements move from one iteration of the node's loop to the next
};

constexpr access contiguous_access(graph& g, int id);

namespace detail {

// The elements of a node that is at home in a concat of which it is an operand.
constexpr access part_of_concat(graph& g, int id) {
  const node& n = g.nodes[id];
  const node& whole = g.nodes[n.home];
  const int axis = axis_of(whole);
  access a = contiguous_access(g, n.home);
  for (int k = 0; whole.operands[k] != id; ++k)
    a.offset =
        g.extents.add(a.offset, g.extents.multiply(a.strides[axis], g.nodes[whole.operands[k]].shape[axis]));
  for (int i = 0; i < n.rank; ++i)
    if (n.shape[i] == 1) a.strides[i] = 0;
  return a;
}

}  // namespace detail

/// Strides of contiguous row-major elements, or of those of a concat that the node is at home in. Axes of
/// extent 1 get stride 0.
constexpr access contiguous_access(graph& g, int id) {
  const node& n = g.nodes[id];
  if (n.home >= 0 && g.nodes[n.home].op->kind == family::concat) return detail::part_of_concat(g, id);
  access a{.base = n.home < 0 ? id : n.home};
  std::int64_t stride = 1;
  for (int i = n.rank - 1; i >= 0; --i) {
    a.strides[i] = n.shape[i] == 1 ? 0 : stride;
    stride = g.extents.multiply(stride, n.shape[i]);
  }
  if (n.home >= 0 && g.nodes[n.home].op->kind == family::stacked) a.iteration_stride = stride;
  return a;
}

namespace detail {

constexpr bool is_contiguous(graph& g, const access& a, const node& n) {
  std::int64_t stride = 1;
  for (int i = n.rank - 1; i >= 0; --i) {
    if (n.shape[i] != 1 && a.strides[i] != stride) return false;
    stride = g.extents.multiply(stride, n.shape[i]);
  }
  return true;
}

// A reshape that splits axes, adds or drops axes of extent 1, and nothing else, keeps any strides.
constexpr bool reshape_keeps_strides(graph& g, const node& from, const access& a, const node& to,
                                     access& result) {
  int k = 0;
  for (int i = 0; i < from.rank; ++i) {
    if (from.shape[i] == 1) continue;
    const int first = k;
    for (std::int64_t part = 1; part != from.shape[i]; ++k) {
      if (k == to.rank) return false;
      part = g.extents.multiply(part, to.shape[k]);
    }
    std::int64_t stride = a.strides[i];
    for (int part = k - 1; part >= first; --part) {
      if (to.shape[part] != 1) result.strides[part] = stride;
      stride = g.extents.multiply(stride, to.shape[part]);
    }
  }
  while (k < to.rank && to.shape[k] == 1) ++k;
  return k == to.rank;
}

// The access of view n, whose operand `from` has the access a; false where only a copy can make the view.
constexpr bool resolve_view(graph& g, int id, const access& a, access& result) {
  const node& n = g.nodes[id];
  const node& from = g.nodes[n.operands[0]];
  result = {.base = a.base, .offset = a.offset, .iteration_stride = a.iteration_stride};
  switch (n.op->as<view_kind>()) {
    case view_kind::reshape: {
      if (!is_contiguous(g, a, from)) return reshape_keeps_strides(g, from, a, n, result);
      const access fresh = contiguous_access(g, id);
      for (int i = 0; i < n.rank; ++i) result.strides[i] = fresh.strides[i];
      return true;
    }
    case view_kind::permute:
      for (int i = 0; i < n.rank; ++i) result.strides[i] = a.strides[permuted_axis(n, i)];
      return true;
    case view_kind::expand:
      for (int i = 1; i <= from.rank; ++i)
        result.strides[n.rank - i] = from.shape[from.rank - i] == 1 ? 0 : a.strides[from.rank - i];
      return true;
    case view_kind::slice: {
      const slice_places s = slice_of(n);
      const std::int64_t stride = a.strides[s.axis];
      for (int i = 0; i < n.rank; ++i) result.strides[i] = a.strides[i];
      result.offset = g.extents.add(a.offset, g.extents.multiply(stride, s.begin));
      result.strides[s.axis] = n.shape[s.axis] == 1 ? 0 : g.extents.multiply(stride, s.step);
      return true;
    }
    case view_kind::windows: {
      const sliding_windows w = windows_of(n);
      const std::int64_t stride = a.strides[w.axis];
      for (int i = 0; i < from.rank; ++i) result.strides[i] = n.shape[i] == 1 ? 0 : a.strides[i];
      if (n.shape[w.axis] != 1) result.strides[w.axis] = g.extents.multiply(stride, w.each.stride);
      if (w.each.size != 1) result.strides[from.rank] = g.extents.multiply(stride, w.each.dilation);
      return true;
    }
    case view_kind::iteration:
      for (int i = 0; i < n.rank; ++i) result.strides[i] = a.strides[i + 1];
      result.iteration_stride = a.strides[0];
      return true;
    case view_kind::last:
      result = a;
      return true;
  }
  return false;
}

}  // namespace detail

/// The node that this one is, but for its shape.
constexpr int without_reshapes(const graph& g, int id) {
  while (g.nodes[id].op->kind == family::view && g.nodes[id].op->as<view_kind>() == view_kind::reshape)
    id = g.nodes[id].operands[0];
  return id;
}

/// Resolves node `id`; false where it is a reshape that only a copy can make.
constexpr bool resolve(graph& g, int id, access& result) {
  const node& n = g.nodes[id];
  if (n.op->kind == family::iota) {
    result = {.base = id};
    result.strides[axis_of(n)] = 1;
    return true;
  }
  if (n.op->kind != family::view) {
    result = contiguous_access(g, id);
    return true;
  }
  access a;
  return resolve(g, n.operands[0], a) && detail::resolve_view(g, id, a, result);
}

}  // namespace tapeless
