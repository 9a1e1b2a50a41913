// SPDX-License-Identifier: BSL-1.0
// Pools of one window, and of three axes whose windows are tiles: in the graph they are reductions of another
// view.
#pragma once

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/onnx/norm_forms.hpp>
#include <tapeless/ops/spatial/max_windows.hpp>
#include <tapeless/ops/spatial/mean_windows.hpp>

namespace tapeless::onnx {

/// The image that a view of windows is of, by its number of axes, and the tiles that make `y` of it; {} where
/// there are none.
TAPELESS_COLD inline value tiled_image(value view, value y, spatial_windows& w) {
  value x = view;
  while (x.is(family::view) && x.rank() != y.rank()) x = x.operand(0);
  w = {.axes = y.rank() - 2};
  if (x.rank() != y.rank() || view.rank() == y.rank() || w.axes < 1 || w.axes > max_spatial) return {};
  for (int s = 0; s < w.axes; ++s) {
    const std::int64_t extent = x.get().shape[2 + s], count = y.get().shape[2 + s];
    if (!extent_table::is_literal(extent) || !extent_table::is_literal(count) || count == 0) return {};
    w.along[s].size = w.along[s].stride = extent / count;
    if (w.along[s].size == 0 || extent % count != 0) return {};
  }
  return x;
}

TAPELESS_COLD inline form max_pool_form(pattern_graph& p, value y) {
  spatial_windows w;
  const value x = tiled_image(y.operand(0), y, w);
  if (!x.exists() || !p.is_built(y.id, [&] { return tapeless::detail::max_over_windows(x, w); })) return {};
  form f = make_form(form_kind::max_pool, x.id);
  f.windows.windows = w;
  return f;
}

TAPELESS_COLD inline form average_pool_form(pattern_graph& p, value y) {
  const value sum = y.operand(0);
  if (!sum.is(reduction_kind::sum)) return {};
  form f;
  const value x = tiled_image(sum.operand(0), y, f.windows.windows);
  if (!x.exists() || !p.is_built(y.id, [&] { return tapeless::detail::mean_over_windows(x, f.windows); }))
    return {};
  const pooling_windows w = f.windows;
  f = make_form(form_kind::average_pool, x.id);
  f.windows = w;
  return f;
}

}  // namespace tapeless::onnx
