// SPDX-License-Identifier: BSL-1.0
// one_cycle({...}): a rate that rises and falls once, and a momentum that does the opposite.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct one_cycle_options {
  double peak = 1e-3;
  std::int64_t steps = 0;  ///< in all, 1 or more
  double rising = 0.3;     ///< share of the steps in which the rate rises
  double div_factor = 25;
  double final_div_factor = 1e4;
  bool three_phase = false;
  bool linear = false;  ///< along lines rather than cosines
  double base_momentum = 0.85;
  double max_momentum = 0.95;
};

namespace detail {

/// From first to peak to a last number; with three phases back to the first one in between.
struct one_cycle_phases {
  one_cycle_options options;
  double first, peak, last;

  double operator()(std::int64_t step) const {
    const double t = static_cast<double>(step), top = options.rising * static_cast<double>(options.steps) - 1;
    const double end = static_cast<double>(options.steps) - 1;
    if (t <= top) return way(first, peak, t, 0, top);
    if (!options.three_phase) return way(peak, last, t, top, end);
    const double back = 2 * options.rising * static_cast<double>(options.steps) - 2;
    return t <= back ? way(peak, first, t, top, back) : way(first, last, t, back, end);
  }

 private:
  double way(double from, double to, double t, double begin, double end) const {
    const double x = end > begin ? std::min((t - begin) / (end - begin), 1.0) : 1.0;
    return options.linear ? line_between(from, to, x) : cosine_between(from, to, x);
  }
};

}  // namespace detail

/// From peak / div_factor up to peak in the first rising * steps, then down to peak / div_factor /
/// final_div_factor. With three_phase, first down to where it started, in as many steps as it rose, and then
/// to the last value. Of {.peak = 1, .steps = 10, .linear = true} the first three values are 0.04, 0.52, 1.
/// As PyTorch's OneCycleLR (Smith and Topin, 2018). Throws an error where an option is out of its range: peak
/// must be finite, steps 1 or more, rising from 0 to 1, div_factor and final_div_factor above 0.
inline auto one_cycle(one_cycle_options o) {
  const detail::option_checker check{"one_cycle"};
  check("peak", o.peak, ranges::finite);
  check("steps", o.steps, ranges::count);
  check("rising", o.rising, ranges::share);
  check("div_factor", o.div_factor, ranges::positive);
  check("final_div_factor", o.final_div_factor, ranges::positive);
  const double first = o.peak / o.div_factor;
  return detail::one_cycle_phases{o, first, o.peak, first / o.final_div_factor};
}

/// The momentum that belongs to one_cycle: from max_momentum down to base_momentum while the rate rises, and
/// back. Of the same options the first three values are 0.95, 0.9, 0.85. Throws an error where an option is
/// out of its range: steps must be 1 or more, rising and both momenta from 0 to 1.
inline auto one_cycle_momentum(one_cycle_options o) {
  const detail::option_checker check{"one_cycle_momentum"};
  check("steps", o.steps, ranges::count);
  check("rising", o.rising, ranges::share);
  check("base_momentum", o.base_momentum, ranges::share);
  check("max_momentum", o.max_momentum, ranges::share);
  return detail::one_cycle_phases{o, o.max_momentum, o.base_momentum, o.max_momentum};
}

}  // namespace tapeless
