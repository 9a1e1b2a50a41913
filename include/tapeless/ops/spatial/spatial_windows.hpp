// SPDX-License-Identifier: BSL-1.0
// Windows along the spatial axes of [.., .., L...], and their transpose: what convolution and pooling share.
#pragma once

#include <string_view>

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/shape/pad.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/slice.hpp>
#include <tapeless/ops/spatial/windows.hpp>

namespace tapeless::detail {

/// Axis `from` moved to the place `to`; the others keep their order.
constexpr value move_axis(value x, int from, int to) {
  int order[max_rank] = {};
  for (int i = 0, k = 0; i < x.rank(); ++i) {
    if (k == from) ++k;
    order[i] = i == to ? from : k++;
  }
  return permute(x, order);
}

constexpr std::int64_t span_of(const window& w) { return w.dilation * (w.size - 1) + 1; }

/// x with zeros on both sides of its spatial axes.
constexpr value pad_spatial(value x, const spatial_windows& w) {
  for (int s = 0; s < w.axes; ++s)
    x = pad(x, 2 + s, w.padding[s], 1, x.builder->extents.add(x.get().shape[2 + s], 2 * w.padding[s]));
  return x;
}

/// Whether each element of an axis is in one window.
constexpr bool are_tiles(const window& w, std::int64_t extent) {
  return w.size == w.stride && w.dilation == 1 && extent_table::is_literal(extent) && extent % w.size == 0;
}

/// windows(x, axis, w). Windows that are tiles are another shape, those of one element a slice: their
/// derivatives cost less.
constexpr value windows_along(value x, int axis, const window& w) {
  if (are_tiles(w, x.get().shape[axis])) {
    shape_list s{.rank = x.rank() + 1};
    for (int i = 0; i < s.rank; ++i) s.extents[i] = x.get().shape[i <= axis ? i : i - 1];
    s.extents[axis] /= w.size;
    s.extents[axis + 1] = w.size;
    return move_axis(reshape(x, s), axis + 1, x.rank());
  }
  if (w.size != 1) return windows(x, axis, w);
  shape_list s = shape_of(x);
  s.extents[axis] = window_count(*x.builder, s.extents[axis], w);
  s.extents[s.rank++] = 1;
  return reshape(slice(x, axis, 0, w.stride, s.extents[axis]), s);
}

/// The transpose of windows_along.
constexpr value overlap_along(value x, int axis, const window& w, std::int64_t extent) {
  if (are_tiles(w, extent)) {
    shape_list s = shape_of(x);
    s.extents[axis] = extent;
    for (int i = axis + 1; i + 1 < s.rank; ++i) s.extents[i] = x.get().shape[i];
    --s.rank;
    return reshape(move_axis(x, x.rank() - 1, axis + 1), s);
  }
  if (w.size != 1) return overlap_add(x, axis, w, extent);
  shape_list s = shape_of(x);
  --s.rank;
  return pad(reshape(x, s), axis, 0, w.stride, extent);
}

/// [a, b, L0, L1] -> [.., count0, .., count1, ..]: the axis of the elements of the windows along spatial axis
/// s stands at place[s] when it is made, the later ones as they come. Where the last axis of all stays one of
/// positions, so does the innermost loop of what reads the windows or adds them up.
constexpr value all_windows(value x, const spatial_windows& w, const int* place) {
  for (int s = 0; s < w.axes; ++s) {
    x = windows_along(x, 2 + 2 * s, w.along[s]);
    x = move_axis(x, x.rank() - 1, place[s]);
  }
  return x;
}

/// The transpose of all_windows, for spatial axes of the given extents.
constexpr value add_all_windows(value x, const spatial_windows& w, const int* place,
                                const std::int64_t* extents) {
  for (int s = w.axes - 1; s >= 0; --s) {
    x = move_axis(x, place[s], x.rank() - 1);
    x = overlap_along(x, 2 + 2 * s, w.along[s], extents[s]);
  }
  return x;
}

/// The transpose of all_windows of pad_spatial, for spatial axes of the given extents.
constexpr value add_padded_windows(value x, const spatial_windows& w, const int* place,
                                   const std::int64_t* extents) {
  std::int64_t padded[max_spatial] = {};
  for (int s = 0; s < w.axes; ++s) padded[s] = x.builder->extents.add(extents[s], 2 * w.padding[s]);
  x = add_all_windows(x, w, place, padded);
  for (int s = 0; s < w.axes; ++s) x = slice(x, 2 + s, w.padding[s], 1, extents[s]);
  return x;
}

constexpr std::string_view image_axes(int axes) {
  return axes == 1 ? "length" : axes == 2 ? "height, width" : "depth, height, width";
}

/// f of x, whose batch may be left out: of a value of one axis less than `rank`, f's value for a batch of
/// one, without the batch.
template <class F>
constexpr value with_batch(value x, int rank, F f) {
  if (x.rank() != rank - 1) return f(x);
  shape_list s = shape_of(x);
  for (int i = s.rank++; i > 0; --i) s.extents[i] = s.extents[i - 1];
  s.extents[0] = 1;
  const value y = f(reshape(x, s));
  if (x.builder->failed()) return y;
  s = {y.rank() - 1, {}};
  for (int i = 0; i < s.rank; ++i) s.extents[i] = y.get().shape[i + 1];
  return reshape(y, s);
}

/// Whether a window fits along each spatial axis of x with its padding, and with as many elements `behind` it
/// as are given. An error where the compiler can see that one does not.
constexpr bool require_room(std::string_view op, value x, const spatial_windows& w,
                            const std::int64_t (&behind)[max_spatial] = {}) {
  for (int s = 0; s < w.axes; ++s) {
    const std::int64_t extent = x.get().shape[2 + s], padding = w.padding[s];
    if (!extent_table::is_literal(extent) || span_of(w.along[s]) <= extent + 2 * padding + behind[s])
      continue;
    text t = shape_sentence(op, x);
    t << ": a kernel of " << w.along[s].size;
    if (w.along[s].dilation != 1) t << " with dilation " << w.along[s].dilation;
    t << " is longer than axis " << 2 + s;
    if (padding != 0) t << " with a padding of " << padding;
    x.fail(t);
    return false;
  }
  return true;
}

}  // namespace tapeless::detail
