// SPDX-License-Identifier: BSL-1.0
// Convolutions and pools as ONNX's operators.
#pragma once

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/onnx/places.hpp>
#include <tapeless/ops/spatial/windows.hpp>

namespace tapeless::onnx {

/// The attributes that windows have in common. Some axes may have no padding at their ends.
TAPELESS_COLD inline attributes window_attributes(const spatial_windows& w, unsigned without_end = 0) {
  std::vector<std::int64_t> sizes, strides, pads;
  for (int s = 0; s < w.axes; ++s) {
    sizes.push_back(w.along[s].size);
    strides.push_back(w.along[s].stride);
    pads.push_back(w.padding[s]);
  }
  for (int s = 0; s < w.axes; ++s) pads.push_back((without_end >> s & 1u) != 0 ? 0 : w.padding[s]);
  return attributes().set("kernel_shape", sizes).set("strides", strides).set("pads", pads);
}

TAPELESS_COLD inline attributes convolution_attributes(const convolution_windows& c,
                                                       unsigned without_end = 0) {
  std::vector<std::int64_t> dilations;
  for (int s = 0; s < c.windows.axes; ++s) dilations.push_back(c.windows.along[s].dilation);
  return window_attributes(c.windows, without_end).set("dilations", dilations).set("group", c.groups);
}

/// x, of which along the axis only the first elements stay.
TAPELESS_COLD inline std::string first_along(value_writer& to, const std::string& x, int axis,
                                             std::int64_t count) {
  return write_slice(to, x, {axis, 0, 1}, count, {});
}

/// x [N, C, L..], weight, and perhaps a bias -> [N, O, positions..]
TAPELESS_COLD inline std::string write_convolution(value_writer& to, const node& n, const names& x,
                                                   std::string_view result) {
  graph& g = to.model();
  const node image = to.at(n.operands[0]);
  const convolution_windows c = convolution_of(n, to.at(n.operands[1]));
  std::vector<int> longer;  // a transposed convolution's output_padding may leave room for one window more
  for (int s = 0; s < c.windows.axes; ++s) {
    const std::int64_t room = g.extents.add(image.shape[2 + s], 2 * c.windows.padding[s]);
    if (window_count(g, room, c.windows.along[s]) != n.shape[2 + s]) longer.push_back(s);
  }
  std::string y = to.add("Conv", x, convolution_attributes(c), longer.empty() ? result : "");
  for (const int s : longer) y = first_along(to, y, 2 + s, n.shape[2 + s]);
  return longer.empty() ? y : to.add("Identity", {y}, result);
}

/// The transpose: y [N, O, positions..], weight, and perhaps a bias -> [N, C, L..].
TAPELESS_COLD inline std::string write_transposed_convolution(value_writer& to, const node& n, const names& x,
                                                              std::string_view result) {
  extent_table& e = to.model().extents;
  const node y = to.at(n.operands[0]);
  const convolution_windows c = convolution_of(n, to.at(n.operands[1]));
  std::vector<std::int64_t> more;  // output_padding
  unsigned unknown = 0;            // axes where it depends on run-time extents, or is too large for ONNX
  for (int s = 0; s < c.windows.axes; ++s) {
    const window& w = c.windows.along[s];
    const std::int64_t rest = w.dilation * (w.size - 1) + 1 - w.stride - 2 * c.windows.padding[s];
    // What is subtracted stands on the other side: without k the extent may be negative, and so none.
    const std::int64_t reached = e.add(e.multiply(y.shape[2 + s], w.stride), rest > 0 ? rest : 0);
    const std::int64_t wanted = e.add(n.shape[2 + s], rest < 0 ? -rest : 0);
    std::int64_t k = 0;
    while (k < w.stride && e.add(reached, k) != wanted) ++k;
    if (k == w.stride) unknown |= 1u << s;
    more.push_back(k == w.stride ? 0 : k);
  }
  attributes with = convolution_attributes(c, unknown).set("output_padding", more);
  names operands = x;
  if (unknown != 0) operands.resize(2);  // a bias is added behind the zeros of the padding
  std::string value = to.add("ConvTranspose", operands, with, unknown == 0 ? result : "");
  if (unknown == 0) return value;
  for (int s = 0; s < c.windows.axes; ++s) {
    if ((unknown >> s & 1u) == 0) continue;
    const window& w = c.windows.along[s];
    value = add_zeros(to, value, n.type, n.rank, 2 + s, to.integer(0), to.integer(w.stride + w.dilation));
    value = first_along(to, value, 2 + s, n.shape[2 + s]);
  }
  if (x.size() == operands.size()) return to.add("Identity", {value}, result);
  return to.add("Add", {value, along_axis(to, x[2], 1, n.rank)}, result);
}

TAPELESS_COLD inline std::string write_max_pool(value_writer& to, const spatial_windows& w,
                                                const std::string& x, std::string_view result) {
  return to.add("MaxPool", {x}, window_attributes(w), result);
}
TAPELESS_COLD inline std::string write_average_pool(value_writer& to, const pooling_windows& p,
                                                    const std::string& x, std::string_view result) {
  return to.add("AveragePool", {x},
                window_attributes(p.windows).set("count_include_pad", p.counts_padding ? 1 : 0), result);
}

}  // namespace tapeless::onnx
