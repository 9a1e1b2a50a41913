// SPDX-License-Identifier: BSL-1.0
// Where a node's elements are: views are resolved to an offset and strides into the memory of their base.
#pragma once

#include <tapeless/graph/core/graph.hpp>

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

/// Strides of contiguous row-major elements. Axes of extent 1 get stride 0.
constexpr access contiguous_access(graph& g, int id) {
  const node& n = g.nodes[id];
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

}  // namespace detail

/// Resolves node `id`; false where it is a reshape that only a copy can make.
constexpr bool resolve(graph& g, int id, access& result) {
  const node& n = g.nodes[id];
  if (n.op->kind == family::iota) {
    result = {.base = id};
    result.strides[n.attributes[0]] = 1;
    return true;
  }
  if (n.op->kind != family::view) {
    result = contiguous_access(g, id);
    return true;
  }
  access a;
  if (!resolve(g, n.operands[0], a)) return false;
  const node& from = g.nodes[n.operands[0]];
  result = {.base = a.base, .offset = a.offset, .iteration_stride = a.iteration_stride};
  if (n.op->name == "permute") {
    for (int i = 0; i < n.rank; ++i) result.strides[i] = a.strides[n.attributes[i]];
  } else if (n.op->name == "expand") {
    for (int i = 1; i <= from.rank; ++i)
      result.strides[n.rank - i] = from.shape[from.rank - i] == 1 ? 0 : a.strides[from.rank - i];
  } else if (n.op->name == "slice") {
    const int axis = static_cast<int>(n.attributes[0]);
    for (int i = 0; i < n.rank; ++i) result.strides[i] = a.strides[i];
    result.offset = g.extents.add(a.offset, g.extents.multiply(a.strides[axis], n.attributes[1]));
    result.strides[axis] = n.shape[axis] == 1 ? 0 : g.extents.multiply(a.strides[axis], n.attributes[2]);
  } else if (n.op == &graph::iteration_operation) {
    for (int i = 0; i < n.rank; ++i) result.strides[i] = a.strides[i + 1];
    result.iteration_stride = a.strides[0];
  } else if (n.op == &graph::last_operation) {
    result = a;
  } else if (n.op->name == "windows") {
    const int axis = static_cast<int>(n.attributes[0]);
    for (int i = 0; i < from.rank; ++i) result.strides[i] = n.shape[i] == 1 ? 0 : a.strides[i];
    if (n.shape[axis] != 1) result.strides[axis] = g.extents.multiply(a.strides[axis], n.attributes[1]);
    if (n.shape[from.rank] != 1)
      result.strides[from.rank] = g.extents.multiply(a.strides[axis], n.attributes[2]);
  } else if (detail::is_contiguous(g, a, from)) {  // reshape
    const access fresh = contiguous_access(g, id);
    for (int i = 0; i < n.rank; ++i) result.strides[i] = fresh.strides[i];
  } else {
    return detail::reshape_keeps_strides(g, from, a, n, result);
  }
  return true;
}

}  // namespace tapeless
