// SPDX-License-Identifier: BSL-1.0
// When gradients are added up and parameters change in a trainer that is one of several.
#pragma once

#include <type_traits>

namespace tapeless::detail {

/// Parameters change at the end of a step, but each gradient is added up as soon as it is there: then it
/// travels.
struct early_gradients {
  static constexpr bool eager = false, collects_early = true;
};
/// Each parameter changes as soon as the sum of its gradients has come: the last ones first.
struct updates_as_they_come : early_gradients {
  static constexpr bool updates_last_first = true;
};
template <class Timing>
using timing_of_ranks = std::conditional_t<Timing::eager, updates_as_they_come, early_gradients>;

}  // namespace tapeless::detail
