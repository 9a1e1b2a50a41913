// SPDX-License-Identifier: BSL-1.0
// polynomial_schedule({...}): from one number to another by a power.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct polynomial_schedule_options {
  double start = 1e-3;
  double end = 0;
  double power = 1;
  std::int64_t steps = -1;  ///< until `end` is reached, 0 or more; -1: not given
};

/// end + (start - end) * (1 - min(t, steps) / steps)^power. Of {.start = 1, .power = 2, .steps = 4} the first
/// three values are 1, 0.5625, 0.25. As PyTorch's PolynomialLR. Throws an error where an option is out of its
/// range: start and end must be finite, power 0 or more, steps 0 or more.
inline auto polynomial_schedule(polynomial_schedule_options o) {
  const detail::option_checker check{"polynomial_schedule"};
  check("start", o.start, ranges::finite);
  check("end", o.end, ranges::finite);
  check("power", o.power, ranges::not_negative);
  check("steps", o.steps, ranges::not_negative);
  return [o](std::int64_t t) {
    return o.end + (o.start - o.end) * std::pow(1 - detail::progress(t, o.steps), o.power);
  };
}

}  // namespace tapeless
