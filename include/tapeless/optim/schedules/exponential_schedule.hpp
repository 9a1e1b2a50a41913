// SPDX-License-Identifier: BSL-1.0
// exponential_schedule({...}): shrinks by the same factor at every step.
#pragma once

#include <cstdint>

#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct exponential_schedule_options {
  double start = 1e-3;
  double factor = 0.99;
};

/// start * factor^t. Of {.start = 1, .factor = 0.5} the first three values are 1, 0.5, 0.25. As PyTorch's
/// ExponentialLR. Throws an error where an option is out of its range: start must be finite, factor 0 or
/// more.
inline auto exponential_schedule(exponential_schedule_options o) {
  const detail::option_checker check{"exponential_schedule"};
  check("start", o.start, ranges::finite);
  check("factor", o.factor, ranges::not_negative);
  return [o](std::int64_t t) { return o.start * detail::whole_power(o.factor, t); };
}

}  // namespace tapeless
