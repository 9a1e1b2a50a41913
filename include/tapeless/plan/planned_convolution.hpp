// SPDX-License-Identifier: BSL-1.0
// From a convolution's node, or that of one of its transposes, to the command that computes it.
#pragma once

#include <tapeless/plan/commands.hpp>

namespace tapeless {

/// Precondition: node `id` is a convolution or one of its transposes, whose operands are contiguous.
constexpr planned_convolution make_convolution(graph& g, int id) {
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

}  // namespace tapeless
