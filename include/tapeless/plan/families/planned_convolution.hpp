// SPDX-License-Identifier: BSL-1.0
// The kernel family of convolutions, and of their transposes.
#pragma once

#include <tapeless/plan/families/kernel_family.hpp>
#include <tapeless/plan/families/window_room.hpp>

namespace tapeless {

/// A convolution or one of its transposes, as planned_convolution has it.
struct convolution_arguments {
  convolution_part computes = convolution_part::y;
  std::int64_t groups = 1;
  std::int64_t batch = 0, in = 0, out = 0;
  std::int64_t image[2] = {}, kernel[2] = {}, positions[2] = {};
  std::int64_t stride[2] = {}, dilation[2] = {}, padding[2] = {};
  std::byte *x = nullptr, *weight = nullptr, *y = nullptr;
};

/// What its kernels are told apart by.
struct convolution_key {
  convolution_part computes;
  element type;
};

/// Computes one part of y[n, o, p] = sum over c, k of weight[o, c, k] * x[n, c, p*stride + k*dilation -
/// padding] from the other two, or the sum's transposes: x of [batch, in, image], weight of [out, in /
/// groups, kernel], y of [batch, out, positions], all contiguous.
struct planned_convolution {
  static constexpr family kind = family::convolution;
  static constexpr std::string_view label = "convolution";
  static constexpr bool has_expansion = true;
  static constexpr operand_layout layout = operand_layout::contiguous;
  static constexpr int operands = 3;
  using arguments = convolution_arguments;
  using key = convolution_key;

  convolution_part computes = convolution_part::y;
  element type = element::f32;
  std::int64_t groups = 1;
  std::int64_t batch = 0, in = 0, out = 0;
  std::int64_t image[2] = {1, 1}, kernel[2] = {1, 1}, positions[2] = {1, 1};
  std::int64_t stride[2] = {1, 1}, dilation[2] = {1, 1}, padding[2] = {0, 0};
  access x = {}, weight = {}, y = {};

  static constexpr planned_convolution make(graph& g, int id);

  constexpr key kernel_key() const { return {computes, type}; }
  template <class F>
  constexpr void for_each_source(F f) const {
    if (computes != convolution_part::x) f(x);
    if (computes != convolution_part::weight) f(weight);
    if (computes != convolution_part::y) f(y);
  }
  constexpr const access& target() const {
    return computes == convolution_part::x ? x : computes == convolution_part::y ? y : weight;
  }
  template <class Launch>
  void launch(convolution_arguments& launched, Launch& at) const;
};

/// Precondition: node `id` is a convolution or one of its transposes, whose operands are contiguous.
constexpr planned_convolution planned_convolution::make(graph& g, int id) {
  const node& n = g.nodes[id];
  planned_convolution c{.computes = n.op->as<convolution_part>(), .type = n.type};
  int x = -1, weight = -1, y = -1;
  switch (c.computes) {
    case convolution_part::x:
      x = id, y = n.operands[0], weight = n.operands[1];
      break;
    case convolution_part::weight:
      x = n.operands[0], y = n.operands[1], weight = id;
      break;
    case convolution_part::y:
      x = n.operands[0], weight = n.operands[1], y = id;
      break;
  }
  const convolution_windows given = convolution_of(n, g.nodes[weight]);
  c.groups = given.groups;
  c.batch = g.nodes[x].shape[0];
  c.in = g.nodes[x].shape[1];
  c.out = g.nodes[weight].shape[0];
  for (int s = 0; s < n.rank - 2; ++s) {
    const int axis = s + 4 - n.rank;  // a sequence is an image of one row
    c.image[axis] = g.nodes[x].shape[2 + s];
    c.kernel[axis] = given.windows.along[s].size;
    c.positions[axis] = g.nodes[y].shape[2 + s];
    c.stride[axis] = given.windows.along[s].stride;
    c.dilation[axis] = given.windows.along[s].dilation;
    c.padding[axis] = given.windows.padding[s];
  }
  resolve(g, x, c.x);
  resolve(g, weight, c.weight);
  resolve(g, y, c.y);
  return c;
}

template <class Launch>
void planned_convolution::launch(convolution_arguments& launched, Launch& at) const {
  launched = {.computes = computes,
              .groups = groups,
              .batch = at.extent(batch),
              .in = at.extent(in),
              .out = at.extent(out)};
  for (int s = 0; s < 2; ++s) {
    launched.image[s] = at.extent(image[s]);
    launched.kernel[s] = at.extent(kernel[s]);
    launched.positions[s] = at.extent(positions[s]);
    launched.stride[s] = stride[s];
    launched.dilation[s] = dilation[s];
    launched.padding[s] = padding[s];
    detail::require_room("a convolution", dilation[s] * (launched.kernel[s] - 1) + 1, launched.image[s],
                         padding[s]);
  }
  at.place(x, type, &launched.x);
  at.place(weight, type, &launched.weight);
  at.place(y, type, &launched.y);
}

}  // namespace tapeless
