// SPDX-License-Identifier: BSL-1.0
// warmup_stable_decay({...}): up along a line, a long time at the peak, and down at the end.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/newton_square_root.hpp>
#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct warmup_stable_decay_options {
  double peak = 1e-3;
  double end = 0;
  std::int64_t warmup_steps = 0;
  std::int64_t decay_steps = 0;
  std::int64_t steps = 0;    ///< in all, 1 or more
  bool square_root = false;  ///< down by 1 - sqrt(x) (Haegele et al., 2024) rather than along a line
};

/// peak * (t + 1) / warmup_steps in the first warmup_steps, then peak, then in the last decay_steps down to
/// end, which stays from step number `steps` on (Hu et al., 2024). Of {.peak = 1, .warmup_steps = 2,
/// .decay_steps = 2, .steps = 6} the first three values are 0.5, 1, 1. Throws an error where an option is out
/// of its range: peak and end must be finite, warmup_steps and decay_steps 0 or more, steps 1
/// or more and no fewer than both together.
inline auto warmup_stable_decay(warmup_stable_decay_options o) {
  const detail::option_checker check{"warmup_stable_decay"};
  check("peak", o.peak, ranges::finite);
  check("end", o.end, ranges::finite);
  check("warmup_steps", o.warmup_steps, ranges::not_negative);
  check("decay_steps", o.decay_steps, ranges::not_negative);
  check("steps", o.steps, detail::count_from(o.warmup_steps + o.decay_steps));
  return [o](std::int64_t t) {
    if (t < o.warmup_steps) return o.peak * detail::progress(t + 1, o.warmup_steps);
    if (t < o.steps - o.decay_steps) return o.peak;
    const double x = detail::progress(t - (o.steps - o.decay_steps), o.decay_steps);
    return detail::line_between(o.peak, o.end, o.square_root ? detail::square_root(x) : x);
  };
}

}  // namespace tapeless
