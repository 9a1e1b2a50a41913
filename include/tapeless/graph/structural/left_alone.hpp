// SPDX-License-Identifier: BSL-1.0
// stop_gradient(x) as a node, and the parameters that are left alone since the loss needs them only through
// it.
#pragma once

#include <tapeless/graph/structural/leaf.hpp>

namespace tapeless {

namespace detail {

constexpr value no_cotangent(int, value, const value*, value) { return {}; }

}  // namespace detail

/// The value itself; its derivative is zero.
inline constexpr operation gradient_stop{"stop_gradient", family::alias, jacobian::diagonal,
                                         &detail::no_cotangent};

/// Whether no rule changes the parameter, since the model says so.
constexpr bool is_left_alone(const node& n) {
  return n.op->kind == family::parameter && n.attributes[3] != 0;
}
constexpr void set_left_alone(node& n, bool left_alone) { n.attributes[3] = left_alone ? 1 : 0; }

/// Whether a rule changes it.
constexpr bool is_trained(const node& n) {
  return n.op->kind == family::parameter && !is_buffer(n) && !is_left_alone(n);
}

/// Marks the parameters that the loss, output 0, needs only behind gradient stops, or that only other outputs
/// need, behind such a stop; no others.
constexpr void find_left_alone(graph& g) {
  bool any = false;
  for (const node& n : g.nodes) any = any || n.op == &gradient_stop;
  if (!any || g.failed()) return;
  constexpr char by_loss = 1, behind_stop = 2, by_output = 4;
  list<char> needed;
  needed.assign(g.nodes.size(), 0);
  for (int i = 0; i < g.outputs.size(); ++i)
    needed[g.outputs[i].node] = static_cast<char>(needed[g.outputs[i].node] | (i == 0 ? by_loss : by_output));
  for (bool again = true; again;) {
    again = false;
    for (int i = g.nodes.size() - 1; i >= 0; --i) {
      const node& n = g.nodes[i];
      if (needed[i] == 0) continue;
      const char ways = n.op == &gradient_stop ? behind_stop : needed[i];
      for (int k = 0; k < n.operand_count; ++k)
        needed[n.operands[k]] = static_cast<char>(needed[n.operands[k]] | ways);
    }
    for (const loop_carry& c : g.carries) {  // a carry stands before its next value
      const auto both = static_cast<char>(needed[c.next] | needed[c.carry]);
      again = again || both != needed[c.next];
      needed[c.next] = both;
    }
  }
  for (int i = 0; i < g.nodes.size(); ++i)
    if (g.nodes[i].op->kind == family::parameter)
      set_left_alone(g.nodes[i], (needed[i] & (by_loss | behind_stop)) == behind_stop);
}

}  // namespace tapeless
