// SPDX-License-Identifier: BSL-1.0
// What derivatives are asked by, as a node that nothing looks through.
#pragma once

#include <tapeless/graph/structural/copy.hpp>

namespace tapeless {

/// A value that is differentiated by: what is made of it is made of this node, not of what it is a view or a
/// product of.
inline constexpr operation differentiated_operation{"differentiated", family::alias, jacobian::diagonal,
                                                    &detail::copied_cotangent};

/// Whether operations may take what the node is made of instead of the node.
constexpr bool is_looked_through(const node& n) {
  const family f = n.op->kind;
  return f == family::view || f == family::product || f == family::pad || f == family::concat ||
         (f == family::pointwise && n.operand_count == 1);
}

/// Post-condition: the number of the node that stands for node `id` where derivatives are by it.
constexpr int insert_differentiated(graph& g, int id) {
  if (g.nodes[id].op == &differentiated_operation) return id;
  node n = copy_of(g, id, g.nodes[id].region);
  n.op = &differentiated_operation;
  return g.insert(n);
}

}  // namespace tapeless
