// SPDX-License-Identifier: BSL-1.0
// Whether a plan's commands come in an order in which they can run.
#pragma once

#include <tapeless/plan/order.hpp>

namespace tapeless::detail {

/// Whether each command reads only what one before it has written, or what none writes: parameters and
/// inputs. Of a loop's stacks all is taken for written where the loop begins. Tests check all their plans so.
constexpr bool is_written_first(const schedule& s, int nodes) {
  list<char> is_computed, is_written;  // by node
  is_computed.assign(nodes, 0);
  is_written.assign(nodes, 0);
  for (const planned_command& c : s.commands) for_each_write(s, c, [&](int id) { is_computed[id] = 1; });
  bool holds = true;
  for (const planned_command& c : s.commands) {
    for_each_read(s, c, [&](int id) { holds = holds && (is_computed[id] == 0 || is_written[id] != 0); });
    for_each_write(s, c, [&](int id) { is_written[id] = 1; });
  }
  return holds;
}

// Not constexpr: the compiler's error names it.
inline void a_command_reads_what_is_not_written_yet() {}

}  // namespace tapeless::detail
