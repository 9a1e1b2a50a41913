// SPDX-License-Identifier: BSL-1.0
// inverse_square_root({...}): up along a line, then down with the root of the step.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/graph/core/newton_square_root.hpp>
#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct inverse_square_root_options {
  double peak = 1e-3;
  std::int64_t warmup_steps = 1;
};

/// peak * min(s / warmup_steps, sqrt(warmup_steps / s)), where s = t + 1 (Vaswani et al., 2017, whose peak is
/// 1 / sqrt(width * warmup_steps)). Of {.peak = 1, .warmup_steps = 2} the first three values are 0.5, 1,
/// sqrt(2/3). Throws an error where an option is out of its range: peak must be finite, warmup_steps 0 or
/// more.
inline auto inverse_square_root(inverse_square_root_options o) {
  const detail::option_checker check{"inverse_square_root"};
  check("peak", o.peak, ranges::finite);
  check("warmup_steps", o.warmup_steps, ranges::not_negative);
  return [o](std::int64_t t) {
    const double s = static_cast<double>(t + 1),
                 w = static_cast<double>(std::max<std::int64_t>(o.warmup_steps, 1));
    return o.peak * std::min(s / w, detail::square_root(w / s));
  };
}

}  // namespace tapeless
