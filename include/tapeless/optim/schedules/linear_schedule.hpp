// SPDX-License-Identifier: BSL-1.0
// linear_schedule({...}): from one number to another along a line.
#pragma once

#include <cstdint>

#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct linear_schedule_options {
  double start = 1e-3;
  double end = 0;
  std::int64_t steps = -1;  ///< until `end` is reached, 0 or more; -1: not given
};

/// start + (end - start) * min(t, steps) / steps. Of {.start = 1, .end = 0, .steps = 4} the first three
/// values are 1, 0.75, 0.5. As PyTorch's LinearLR, whose factors are multiplied by the base rate. Throws an
/// error where an option is out of its range: start and end must be finite, steps 0 or more.
inline auto linear_schedule(linear_schedule_options o) {
  const detail::option_checker check{"linear_schedule"};
  check("start", o.start, ranges::finite);
  check("end", o.end, ranges::finite);
  check("steps", o.steps, ranges::not_negative);
  return [o](std::int64_t t) { return detail::line_between(o.start, o.end, detail::progress(t, o.steps)); };
}

}  // namespace tapeless
