// SPDX-License-Identifier: BSL-1.0
// The tables of a plan while it is being made.
#pragma once

#include <tapeless/plan/plan_tables.hpp>

namespace tapeless {

/// The tables of a plan while it is being made.
struct schedule : plan_tables<in_lists> {
  list<int> stacked;  // the nodes that loops fill

  constexpr void clear() {
    for_each_plan_table([](auto& rows) { rows.clear(); }, *this);
    stacked.clear();
  }
};

}  // namespace tapeless
