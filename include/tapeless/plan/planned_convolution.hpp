// SPDX-License-Identifier: BSL-1.0
// From a convolution's node, or that of one of its transposes, to the command that computes it.
#pragma once

#include <tapeless/plan/commands.hpp>

namespace tapeless {

/// Precondition: node `id` is a convolution or one of its transposes, whose operands are contiguous.
constexpr planned_convolution make_convolution(graph& g, int id) {
  const node& n = g.nodes[id];
  planned_convolution c{.computes = n.op->as<convolution_part>(), .type = n.type, .groups = n.attributes[6]};
  const int x = c.computes == convolution_part::x ? id : n.operands[0];
  const int weight = c.computes == convolution_part::weight ? id : n.operands[1];
  const int y = c.computes == convolution_part::y   ? id
                : c.computes == convolution_part::x ? n.operands[0]
                                                    : n.operands[1];
  c.batch = g.nodes[x].shape[0];
  c.in = g.nodes[x].shape[1];
  c.out = g.nodes[weight].shape[0];
  for (int s = 0; s < n.rank - 2; ++s) {
    const int axis = s + 4 - n.rank;  // a sequence is an image of one row
    c.image[axis] = g.nodes[x].shape[2 + s];
    c.kernel[axis] = g.nodes[weight].shape[2 + s];
    c.positions[axis] = g.nodes[y].shape[2 + s];
    c.stride[axis] = n.attributes[s];
    c.dilation[axis] = n.attributes[2 + s];
    c.padding[axis] = n.attributes[4 + s];
  }
  resolve(g, x, c.x);
  resolve(g, weight, c.weight);
  resolve(g, y, c.y);
  return c;
}

}  // namespace tapeless
