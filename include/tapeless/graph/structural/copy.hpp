// SPDX-License-Identifier: BSL-1.0
// The copy: a value's elements, contiguous in memory of their own.
#pragma once

#include <tapeless/graph/core/graph.hpp>
#include <tapeless/graph/core/value.hpp>

namespace tapeless {

namespace detail {

constexpr value copied_cotangent(int, value g, const value*, value) { return g; }

}  // namespace detail

inline constexpr operation copy_operation{"copy", family::pointwise, jacobian::diagonal,
                                          &detail::copied_cotangent};

/// The same numbers, which autocast leaves in float whatever they are computed of.
inline constexpr operation float_operation{"float", family::pointwise, jacobian::diagonal,
                                           &detail::copied_cotangent};

/// A node of the region that equals node `id`, but owns its elements.
constexpr node copy_of(const graph& g, int id, int region) {
  node n;
  n.op = &copy_operation;
  n.type = g.nodes[id].type;
  n.rank = g.nodes[id].rank;
  for (int i = 0; i < n.rank; ++i) n.shape[i] = g.nodes[id].shape[i];
  n.operand_count = 1;
  n.operands[0] = id;
  n.region = region;
  return n;
}

/// Post-condition: the number of such a node.
constexpr int insert_copy(graph& g, int id, int region) { return g.insert(copy_of(g, id, region)); }

/// The copy of node `id` that gives a carry its next value: its own, so that nothing else reads it.
constexpr node hand_on_copy(const graph& g, int id, int carry) {
  node n = copy_of(g, id, g.nodes[carry].region);
  n.attributes[0] = 1 + carry_number(g.nodes[carry]);
  return n;
}
constexpr bool hands_on(const node& n) { return n.op == &copy_operation && n.attributes[0] > 0; }

namespace detail {

/// The node itself where it is made in the region that is open, else a copy of it there.
constexpr int in_open_region(graph& g, int id) {
  int made = id;  // what aliases stand for
  while (g.nodes[made].op->kind == family::alias) made = g.nodes[made].operands[0];
  return g.nodes[made].region == g.region ? id : insert_copy(g, id, g.region);
}

}  // namespace detail

}  // namespace tapeless
