// SPDX-License-Identifier: BSL-1.0
// The same computation with other values in the place of some.
#pragma once

#include <tapeless/graph/core/graph.hpp>

namespace tapeless {

/// Post-condition: the number of a node that is computed as node `last` is, with the values `by` in the place
/// of the nodes `which`. What does not depend on these is used again; loops that do run once more.
constexpr int substitute(graph& g, int last, const list<int>& which, const list<int>& by) {
  list<char> depends, again;  // nodes; regions, which are computed again as a whole
  depends.assign(last + 1, 0);
  again.assign(g.regions.size() + 1, 0);
  for (int id : which)
    if (id <= last) depends[id] = 1;
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i <= last; ++i) {
      const node& n = g.nodes[i];
      bool found = again[n.region] != 0;
      for (int k = 0; k < n.operand_count; ++k) found = found || depends[n.operands[k]] != 0;
      if (!found || depends[i] != 0) continue;
      depends[i] = 1;
      if (n.region != 0) again[n.region] = 1;
      more = true;
    }
    for (const loop_carry& c : g.carries)
      if (c.carry >= 0 && c.carry <= last && c.next <= last && depends[c.next] != 0 &&
          depends[c.carry] == 0) {
        depends[c.carry] = again[g.nodes[c.carry].region] = 1;
        more = true;
      }
  }
  list<int> region;
  for (int r = 0; r < again.size(); ++r)
    region.push(again[r] == 0 ? r : 1 + g.regions.push(g.regions[r - 1]));

  list<int> copy;  // of each node, or itself
  for (int i = 0; i <= last; ++i) copy.push(i);
  for (int k = 0; k < which.size(); ++k)
    if (which[k] <= last) copy[which[k]] = by[k];
  const int carries = g.carries.size();
  for (int i = 0; i <= last; ++i) {
    node n = g.nodes[i];
    if (copy[i] != i || depends[i] == 0) continue;
    n.region = region[n.region];
    for (int k = 0; k < n.operand_count; ++k) n.operands[k] = copy[n.operands[k]];
    if (n.op->kind == family::carry) set_carry_number(n, g.carries.push({-1, g.next(i)}));
    copy[i] = g.insert(n);
    if (n.op->kind == family::carry) g.carries[carry_number(n)].carry = copy[i];
  }
  for (int c = carries; c < g.carries.size(); ++c)
    if (g.carries[c].next <= last) g.carries[c].next = copy[g.carries[c].next];
  return copy[last];
}

}  // namespace tapeless
