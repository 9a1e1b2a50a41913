// SPDX-License-Identifier: BSL-1.0
// multi_step_schedule({...}): shrinks by a factor at given steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct multi_step_schedule_options {
  double start = 1e-3;
  double factor = 0.1;
  std::vector<std::int64_t> milestones;
};

/// start * factor^k, where k is how many milestones are <= t. Of {.start = 1, .factor = 0.5, .milestones =
/// {1, 2}} the first three values are 1, 0.5, 0.25. As PyTorch's MultiStepLR. Throws an error where an option
/// is out of its range: start must be finite, factor 0 or more.
inline auto multi_step_schedule(multi_step_schedule_options o) {
  const detail::option_checker check{"multi_step_schedule"};
  check("start", o.start, ranges::finite);
  check("factor", o.factor, ranges::not_negative);
  return [o = std::move(o)](std::int64_t t) {
    const auto passed =
        std::count_if(o.milestones.begin(), o.milestones.end(), [t](std::int64_t m) { return m <= t; });
    return o.start * detail::whole_power(o.factor, passed);
  };
}

}  // namespace tapeless
