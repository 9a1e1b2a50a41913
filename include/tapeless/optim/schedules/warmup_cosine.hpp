// SPDX-License-Identifier: BSL-1.0
// warmup_cosine({...}): up along a line, then down along a cosine.
#pragma once

#include <cstdint>

#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct warmup_cosine_options {
  double peak = 1e-3;
  double end = 0;
  std::int64_t warmup_steps = 0;
  std::int64_t steps = 0;  ///< in all, 1 or more
};

/// peak * (t + 1) / warmup_steps in the first warmup_steps, then half a period of a cosine from peak to end,
/// which stays from step number `steps` on. Of {.peak = 1, .warmup_steps = 2, .steps = 4} the first three
/// values are 0.5, 1, 1. Throws an error where an option is out of its range: peak and end must be finite,
/// warmup_steps 0 or more, steps 1 or more and no fewer.
inline auto warmup_cosine(warmup_cosine_options o) {
  const detail::option_checker check{"warmup_cosine"};
  check("peak", o.peak, ranges::finite);
  check("end", o.end, ranges::finite);
  check("warmup_steps", o.warmup_steps, ranges::not_negative);
  check("steps", o.steps, detail::count_from(o.warmup_steps));
  return [o](std::int64_t t) {
    if (t < o.warmup_steps) return o.peak * detail::progress(t + 1, o.warmup_steps);
    return detail::cosine_between(o.peak, o.end,
                                  detail::progress(t - o.warmup_steps, o.steps - o.warmup_steps));
  };
}

}  // namespace tapeless
