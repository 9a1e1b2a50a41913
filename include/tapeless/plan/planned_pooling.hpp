// SPDX-License-Identifier: BSL-1.0
// From a pooling's node to the command that computes it.
#pragma once

#include <tapeless/plan/commands.hpp>

namespace tapeless {

/// Precondition: node `id` is a pooling, whose operands are contiguous.
constexpr planned_pooling make_pooling(graph& g, int id) {
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
  resolve(g, id, p.target);
  return p;
}

}  // namespace tapeless
