// SPDX-License-Identifier: BSL-1.0
// Windows along axes, and how the nodes of windows, poolings and convolutions carry them. Only this file
// knows in which attribute what stands.
#pragma once

#include <tapeless/graph/core/node.hpp>

namespace tapeless {

/// Windows along an axis: `size` elements each, `dilation` apart; the next window starts `stride` further on.
struct window {
  std::int64_t size = 1, stride = 1, dilation = 1;
};

/// All windows along one axis.
struct sliding_windows {
  int axis = 0;
  window each;
};

/// Of a windows view and of its transpose, which adds them up; `view` is the node whose last axis has the
/// windows' elements: the view itself, or the transpose's operand.
constexpr sliding_windows windows_of(const node& n, const node& view) {
  return {static_cast<int>(n.attributes[0]), {view.shape[view.rank - 1], n.attributes[1], n.attributes[2]}};
}
constexpr sliding_windows windows_of(const node& n) { return windows_of(n, n); }
constexpr void set_windows(node& n, const sliding_windows& w) {
  n.attributes[0] = w.axis;
  n.attributes[1] = w.each.stride;
  n.attributes[2] = w.each.dilation;
}

inline constexpr int max_spatial = 3;

/// The windows along each of `axes` spatial axes, which stand behind two others.
struct spatial_windows {
  int axes = 0;
  window along[max_spatial] = {};
  std::int64_t padding[max_spatial] = {};
};

/// A pooling's windows, one or two axes without dilation, and whether padding is among the elements of a
/// mean.
struct pooling_windows {
  spatial_windows windows;
  bool counts_padding = true;
};
constexpr pooling_windows pooling_of(const node& n) {
  pooling_windows p{{.axes = n.rank - 2}, n.attributes[6] != 0};
  for (int s = 0; s < p.windows.axes; ++s) {
    p.windows.along[s] = {.size = n.attributes[2 + s], .stride = n.attributes[s]};
    p.windows.padding[s] = n.attributes[4 + s];
  }
  return p;
}
constexpr void set_pooling(node& n, const pooling_windows& p) {
  for (int s = 0; s < p.windows.axes; ++s) {
    n.attributes[s] = p.windows.along[s].stride;
    n.attributes[2 + s] = p.windows.along[s].size;
    n.attributes[4 + s] = p.windows.padding[s];
  }
  n.attributes[6] = p.counts_padding ? 1 : 0;
}

/// A convolution's windows, one or two axes, and how many groups of channels it has.
struct convolution_windows {
  spatial_windows windows;
  int groups = 1;
};
/// Of a convolution and its transposes. The extents of the kernel are those of `weight`, which is an operand
/// or the node itself.
constexpr convolution_windows convolution_of(const node& n, const node& weight) {
  convolution_windows c{{.axes = n.rank - 2}, static_cast<int>(n.attributes[6])};
  for (int s = 0; s < c.windows.axes; ++s) {
    c.windows.along[s] = {weight.shape[2 + s], n.attributes[s], n.attributes[2 + s]};
    c.windows.padding[s] = n.attributes[4 + s];
  }
  return c;
}
constexpr void set_convolution(node& n, const convolution_windows& c) {
  for (int s = 0; s < c.windows.axes; ++s) {
    n.attributes[s] = c.windows.along[s].stride;
    n.attributes[2 + s] = c.windows.along[s].dilation;
    n.attributes[4 + s] = c.windows.padding[s];
  }
  n.attributes[6] = c.groups;
}

}  // namespace tapeless
