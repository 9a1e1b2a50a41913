// SPDX-License-Identifier: BSL-1.0
// eager_updates, deferred_updates: when a step changes the parameters.
#pragma once

namespace tapeless {

/// When parameters change: all at the end of a step, or each as soon as its gradient is complete.
struct deferred_updates_t {
  static constexpr bool eager = false;
};
struct eager_updates_t {
  static constexpr bool eager = true;
};
inline constexpr deferred_updates_t deferred_updates;
/// Each parameter is updated in the backward pass, right after its last gradient contribution and the last
/// use of its old value. So the gradient's memory is used again at once. The numbers are the same, bit for
/// bit.
inline constexpr eager_updates_t eager_updates;

namespace detail {

/// Whether gradients that wait for their update are added up as soon as they are there.
template <class Timing>
inline constexpr bool collects_early = Timing::eager || requires { Timing::collects_early; };
/// Whether such gradients are those of the last parameters first, when they come from elsewhere.
template <class Timing>
inline constexpr bool updates_last_first = requires { Timing::updates_last_first; };

}  // namespace detail

}  // namespace tapeless
