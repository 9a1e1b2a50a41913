// SPDX-License-Identifier: BSL-1.0
// The kernel family of poolings: largest elements and means of windows, and what their gradients take.
#pragma once

#include <tapeless/plan/families/kernel_family.hpp>
#include <tapeless/plan/families/window_room.hpp>

namespace tapeless {

/// A pooling, as planned_pooling has it.
struct pooling_arguments {
  pooling_kind computes = pooling_kind::largest;
  bool counts_padding = true;
  std::int64_t batch = 0, channels = 0;
  std::int64_t image[2] = {}, kernel[2] = {}, positions[2] = {};
  std::int64_t stride[2] = {}, padding[2] = {};
  int sources = 0;
  std::byte *source[3] = {}, *target = nullptr;
};

/// What its kernels are told apart by.
struct pooling_key {
  pooling_kind computes;
  element type;
};

/// One of these for each channel of each sample; images are of [batch, channels, image], contiguous, the
/// others of [batch, channels, positions]. Operands are in the order x, y, then v or s.
struct planned_pooling {
  static constexpr family kind = family::pooling;
  static constexpr std::string_view label = "pool";
  static constexpr bool has_expansion = true;
  static constexpr operand_layout layout = operand_layout::contiguous;
  static constexpr int operands = 4;
  using arguments = pooling_arguments;
  using key = pooling_key;

  pooling_kind computes = pooling_kind::largest;
  element type = element::f32;
  bool counts_padding = true;  // whether padding is among the elements of a mean
  std::int64_t batch = 0, channels = 0;
  std::int64_t image[2] = {1, 1}, kernel[2] = {1, 1}, positions[2] = {1, 1};
  std::int64_t stride[2] = {1, 1}, padding[2] = {0, 0};
  int sources = 0;
  access source[3] = {}, result = {};

  static constexpr planned_pooling make(graph& g, int id);

  constexpr key kernel_key() const { return {computes, type}; }
  template <class F>
  constexpr void for_each_source(F f) const {
    for (int k = 0; k < sources; ++k) f(source[k]);
  }
  constexpr const access& target() const { return result; }
  template <class Launch>
  void launch(pooling_arguments& launched, Launch& at) const;
};

/// Precondition: node `id` is a pooling, whose operands are contiguous.
constexpr planned_pooling planned_pooling::make(graph& g, int id) {
  const node& n = g.nodes[id];
  const pooling_windows given = pooling_of(n);
  planned_pooling p{.computes = n.op->as<pooling_kind>(),
                    .type = n.type,
                    .counts_padding = given.counts_padding,
                    .batch = n.shape[0],
                    .channels = n.shape[1],
                    .sources = n.operand_count};
  const bool to_image = gives_image(p.computes);
  const node& image = to_image ? n : g.nodes[n.operands[0]];
  const node& positions = to_image ? g.nodes[n.operands[n.operand_count - 1]] : n;
  for (int s = 0; s < n.rank - 2; ++s) {
    const int axis = s + 4 - n.rank;  // a sequence is an image of one row
    p.image[axis] = image.shape[2 + s];
    p.positions[axis] = positions.shape[2 + s];
    p.stride[axis] = given.windows.along[s].stride;
    p.kernel[axis] = given.windows.along[s].size;
    p.padding[axis] = given.windows.padding[s];
  }
  for (int k = 0; k < p.sources; ++k) resolve(g, n.operands[k], p.source[k]);
  resolve(g, id, p.result);
  return p;
}

template <class Launch>
void planned_pooling::launch(pooling_arguments& launched, Launch& at) const {
  // Of a list without a type nvcc 13 loses what stands behind arrays that it leaves out.
  launched = pooling_arguments{.computes = computes,
                               .counts_padding = counts_padding,
                               .batch = at.extent(batch),
                               .channels = at.extent(channels),
                               .sources = sources};
  for (int s = 0; s < 2; ++s) {
    launched.image[s] = at.extent(image[s]);
    launched.kernel[s] = kernel[s];
    launched.positions[s] = at.extent(positions[s]);
    launched.stride[s] = stride[s];
    launched.padding[s] = padding[s];
    detail::require_room("a pool", kernel[s], launched.image[s], padding[s]);
  }
  for (int k = 0; k < sources; ++k) at.place(source[k], type, &launched.source[k]);
  at.place(result, type, &launched.target);
}

}  // namespace tapeless
