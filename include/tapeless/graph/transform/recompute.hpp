// SPDX-License-Identifier: BSL-1.0
// What is inside of a checkpoint, and how it is computed again.
#pragma once

#include <tapeless/graph/core/value.hpp>

namespace tapeless {

namespace detail {

constexpr value same_cotangent(int, value g, const value*, value) { return g; }

}  // namespace detail

/// checkpoint(x): x, whose computation is repeated where its derivative needs what is inside.
inline constexpr operation checkpoint_operation{"checkpoint", family::alias, jacobian::diagonal,
                                                &detail::same_cotangent};

namespace detail {

/// Leaves, other checkpoints and what comes from other iterations of a loop are not computed again.
constexpr bool can_repeat(const node& n, int region) {
  return n.operand_count > 0 && n.region == region && n.op != &checkpoint_operation &&
         n.op->kind != family::carry && n.op->kind != family::stacked &&
         n.op != &graph::iteration_operation && n.op != &graph::last_operation;
}

/// Copies node `last` and all that it is made of, up to what cannot be repeated, and to the nodes `kept`.
/// Post-condition: copy[i] is the number of node i's copy, or -1.
constexpr void repeat_inside(graph& g, int last, const list<int>& kept, list<int>& copy) {
  const int region = g.nodes[last].region, rematerialization = ++g.rematerializations;
  list<char> inside;
  inside.assign(last + 1, 0);
  copy.assign(last + 1, -1);
  const auto repeats = [&](int id) {
    for (int other : kept)
      if (other == id) return false;
    return can_repeat(g.nodes[id], region);
  };
  inside[last] = repeats(last) ? 1 : 0;
  for (int i = last; i >= 0; --i)
    for (int k = 0; inside[i] != 0 && k < g.nodes[i].operand_count; ++k)
      if (repeats(g.nodes[i].operands[k])) inside[g.nodes[i].operands[k]] = 1;
  for (int i = 0; i <= last; ++i) {
    if (inside[i] == 0) continue;
    node n = g.nodes[i];
    n.rematerialization = rematerialization;
    for (int k = 0; k < n.operand_count; ++k)
      if (copy[n.operands[k]] >= 0) n.operands[k] = copy[n.operands[k]];
    copy[i] = g.add(n);
  }
}

}  // namespace detail

}  // namespace tapeless
