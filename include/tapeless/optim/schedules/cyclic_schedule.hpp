// SPDX-License-Identifier: BSL-1.0
// cyclic_schedule({...}): up and down along lines, again and again.
#pragma once

#include <cstdint>

#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct cyclic_schedule_options {
  double start = 1e-3;
  double peak = 1e-2;
  std::int64_t up = 2000;   ///< steps from start to peak
  std::int64_t down = 0;    ///< steps back; 0: as many
  double cycle_factor = 1;  ///< each cycle rises by so many times as much as the one before
  double step_factor = 1;   ///< the same for each step
};

/// start + (peak - start) * x * cycle_factor^c * step_factor^t, where c cycles are over, and x rises from 0
/// to 1 in the first steps of the present one and falls back to 0 in the others. Of {.start = 0, .peak = 1,
/// .up = 2} the first three values are 0, 0.5, 1. As PyTorch's CyclicLR (Smith, 2017): as it is "triangular",
/// with a cycle_factor of 0.5 "triangular2", with a step_factor "exp_range". A momentum that goes the other
/// way starts at the larger number. Throws an error where an option is out of its range: start and peak must
/// be finite, up 1 or more, down and both factors 0 or more.
inline auto cyclic_schedule(cyclic_schedule_options o) {
  const detail::option_checker check{"cyclic_schedule"};
  check("start", o.start, ranges::finite);
  check("peak", o.peak, ranges::finite);
  check("up", o.up, ranges::count);
  check("down", o.down, ranges::not_negative);
  check("cycle_factor", o.cycle_factor, ranges::not_negative);
  check("step_factor", o.step_factor, ranges::not_negative);
  return [o](std::int64_t t) {
    const std::int64_t up = o.up > 0 ? o.up : 1, down = o.down > 0 ? o.down : up, cycle = t / (up + down);
    const std::int64_t step = t - cycle * (up + down);
    const double x = step <= up ? detail::progress(step, up) : detail::progress(up + down - step, down);
    return o.start + (o.peak - o.start) * x * detail::whole_power(o.cycle_factor, cycle) *
                         detail::whole_power(o.step_factor, t);
  };
}

}  // namespace tapeless
