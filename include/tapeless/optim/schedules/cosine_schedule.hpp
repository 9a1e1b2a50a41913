// SPDX-License-Identifier: BSL-1.0
// cosine_schedule({...}): from one number to another in half a period of a cosine.
#pragma once

#include <cstdint>

#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct cosine_schedule_options {
  double start = 1e-3;
  double end = 0;
  std::int64_t steps = 0;  ///< until `end` is reached, 1 or more
};

/// end + (start - end) * (1 + cos(pi t / steps)) / 2, which rises again past its steps. Of {.start = 1,
/// .steps = 2} the first three values are 1, 0.5, 0. As PyTorch's CosineAnnealingLR (Loshchilov and Hutter,
/// 2017). Throws an error where an option is out of its range: start and end must be finite, steps 1 or more.
constexpr auto cosine_schedule(cosine_schedule_options o) {
  const detail::option_checker check{"cosine_schedule"};
  check("start", o.start, ranges::finite);
  check("end", o.end, ranges::finite);
  check("steps", o.steps, ranges::count);
  return [o](std::int64_t t) {
    const std::int64_t steps = o.steps > 0 ? o.steps : 1;
    return detail::cosine_between(o.start, o.end, static_cast<double>(t) / static_cast<double>(steps));
  };
}

}  // namespace tapeless
