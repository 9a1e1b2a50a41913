// SPDX-License-Identifier: BSL-1.0
// The ways from one number to another that schedules take.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/optim/base/hyperparameter_range.hpp>
#include <tapeless/optim/schedules/schedule_arithmetic.hpp>

namespace tapeless {

namespace detail {

/// Checks the options of a schedule: throws an error that names it, the option and what it may be. The values
/// of a schedule are checked when a step asks for them. Without an operating system, where nothing can be
/// thrown, neither are.
struct option_checker {
  const char* schedule;

  TAPELESS_WARM constexpr void operator()([[maybe_unused]] const char* option, [[maybe_unused]] double x,
                                          [[maybe_unused]] const hyperparameter_range& range) const {
#if __STDC_HOSTED__
    if (!range.holds(x))
      throw_error(
          {schedule, ": ", option, " is ", number_text(x).digits, "; it must be ", range_text(range)});
#endif
  }
  constexpr void operator()(const char* option, std::int64_t x, const hyperparameter_range& range) const {
    (*this)(option, static_cast<double>(x), range);
  }
};

/// The counts that are 1 or more, and no fewer than `least`.
constexpr hyperparameter_range count_from(std::int64_t least) {
  return {least > 1 ? static_cast<double>(least) : 1, ranges::count.most};
}

/// From a, at x = 0, to b, at x = 1, in half a period of a cosine.
constexpr double cosine_between(double a, double b, double x) {
  return b + (a - b) * 0.5 * (1 + cosine_of_half_turns(x));
}
inline double line_between(double a, double b, double x) { return a + (b - a) * x; }

/// How much of the way is done after `step` of so many steps, from 0 to 1.
inline double progress(std::int64_t step, std::int64_t steps) {
  if (step >= steps) return 1;
  return step <= 0 ? 0 : static_cast<double>(step) / static_cast<double>(steps);
}

}  // namespace detail

}  // namespace tapeless
