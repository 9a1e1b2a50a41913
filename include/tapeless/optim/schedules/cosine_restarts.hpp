// SPDX-License-Identifier: BSL-1.0
// cosine_restarts({...}): a cosine's way down, again and again.
#pragma once

#include <cstdint>

#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct cosine_restarts_options {
  double start = 1e-3;
  double end = 0;
  std::int64_t period = 0;  ///< steps of the first way down, 1 or more
  std::int64_t growth = 1;  ///< each period is so many times as long as the one before
};

/// end + (start - end) * (1 + cos(pi x)) / 2, where x is how much of the present period is over. Of {.start =
/// 1, .period = 2} the first three values are 1, 0.5, 1. As PyTorch's CosineAnnealingWarmRestarts (Loshchilov
/// and Hutter, 2017). Throws an error where an option is out of its range: start and end must be finite,
/// period and growth 1 or more.
inline auto cosine_restarts(cosine_restarts_options o) {
  const detail::option_checker check{"cosine_restarts"};
  check("start", o.start, ranges::finite);
  check("end", o.end, ranges::finite);
  check("period", o.period, ranges::count);
  check("growth", o.growth, ranges::count);
  return [o](std::int64_t t) {
    const std::int64_t first = o.period > 0 ? o.period : 1;
    if (o.growth <= 1) t %= first;
    auto step = static_cast<double>(t), period = static_cast<double>(first);  // an integer might overflow
    for (; step >= period; period *= static_cast<double>(o.growth)) step -= period;
    return detail::cosine_between(o.start, o.end, step / period);
  };
}

}  // namespace tapeless
