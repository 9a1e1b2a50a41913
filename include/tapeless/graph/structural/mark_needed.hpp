// SPDX-License-Identifier: BSL-1.0
// The nodes that a node is computed from.
#pragma once

#include <tapeless/graph/core/graph.hpp>
#include <tapeless/graph/core/list.hpp>

namespace tapeless::detail {

/// Marks what a node is computed from, and the node itself.
constexpr void mark_needed(const graph& g, int id, list<char>& needed) {
  list<int> waiting;
  const auto need = [&](int i) {
    if (needed[i] == 0) waiting.push(i);
    needed[i] = 1;
  };
  need(id);
  for (int w = 0; w < waiting.size(); ++w) {
    const node& n = g.nodes[waiting[w]];
    for (int k = 0; k < n.operand_count; ++k) need(n.operands[k]);
    if (n.op->kind == family::carry) need(g.next(waiting[w]));
  }
}

}  // namespace tapeless::detail
