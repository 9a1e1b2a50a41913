// SPDX-License-Identifier: BSL-1.0
// Updates in the order in which gradients come from elsewhere: those of the last parameters first.
#pragma once

#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/plan/order.hpp>

namespace tapeless {

namespace detail {

/// Whether the node is the sum of a parameter's gradients: the state of that parameter's own number.
constexpr bool is_gradient_sum(const node& n) {
  return n.op->kind == family::state && state_number(n) == parameter_of_state(n);
}

}  // namespace detail

/// Moves the commands that need a sum of gradients, through others too: those of later parameters come before
/// those of earlier ones, what needs no sum before all. A command stays behind what it reads, and behind
/// those that read what it overwrites. target[i] is the node that node i's value overwrites, or -1.
constexpr void update_last_first(const graph& g, schedule& s, const list<int>& target) {
  int last = 0;
  for (const node& n : g.nodes)
    if (detail::is_gradient_sum(n) && state_number(n) > last) last = state_number(n);
  list<int> made, read, keys;  // by node: the key of those that write it, the largest of those that read it
  made.assign(g.nodes.size(), 0);
  read.assign(g.nodes.size(), 0);
  for (int i = 0; i < g.nodes.size(); ++i)
    if (detail::is_gradient_sum(g.nodes[i])) made[i] = 1 + last - state_number(g.nodes[i]);
  for (int t = 0; t < s.commands.size();) {
    const int end = detail::end_of_block(s, t);
    int key = 0;
    const auto wait = [&key](int other) { key = other > key ? other : key; };
    for (int c = t; c < end; ++c) {
      detail::for_each_read(s, s.commands[c], [&](int id) { wait(made[id]); });
      detail::for_each_write(s, s.commands[c], [&](int id) {
        wait(made[id]);
        if (target[id] >= 0) {
          wait(made[target[id]]);
          wait(read[target[id]]);
        }
      });
    }
    for (int c = t; c < end; ++c) {
      detail::for_each_read(s, s.commands[c], [&](int id) { read[id] = key > read[id] ? key : read[id]; });
      detail::for_each_write(s, s.commands[c], [&](int id) { made[id] = key; });
      keys.push(key);
    }
    t = end;
  }
  detail::sort_commands(s, keys, last + 2);
}

}  // namespace tapeless
