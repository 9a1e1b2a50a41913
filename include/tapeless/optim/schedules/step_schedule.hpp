// SPDX-License-Identifier: BSL-1.0
// step_schedule({...}): shrinks by a factor every so many steps.
#pragma once

#include <cstdint>

#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct step_schedule_options {
  double start = 1e-3;
  double factor = 0.1;
  std::int64_t every = 0;  ///< steps, 1 or more
};

/// start * factor^floor(t / every). Of {.start = 1, .factor = 0.5, .every = 2} the first three values are 1,
/// 1, 0.5. As PyTorch's StepLR. Throws an error where an option is out of its range: start must be finite,
/// factor 0 or more, every 1 or more.
inline auto step_schedule(step_schedule_options o) {
  const detail::option_checker check{"step_schedule"};
  check("start", o.start, ranges::finite);
  check("factor", o.factor, ranges::not_negative);
  check("every", o.every, ranges::count);
  return
      [o](std::int64_t t) { return o.start * detail::whole_power(o.factor, o.every > 0 ? t / o.every : t); };
}

}  // namespace tapeless
