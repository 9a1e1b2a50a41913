// SPDX-License-Identifier: BSL-1.0
// join_schedules({...}): one schedule after the other.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/optim/base/hyperparameter.hpp>

namespace tapeless {

struct join_schedules_options {
  std::vector<hyperparameter> schedules;
  std::vector<std::int64_t> milestones;  ///< the first step of each schedule but the first, in order
};

/// Each schedule from its milestone to the next, as if its milestone were step 0. Of {.schedules = {1,
/// linear_schedule({.start = 2, .steps = 4})}, .milestones = {1}} the first three values are 1, 2, 1.5. As
/// PyTorch's SequentialLR and optax's join_schedules. Of a schedule between equal milestones nothing is used.
/// Throws an error where there is not one milestone less than schedules, or one is below the one before it.
inline auto join_schedules(join_schedules_options o) {
  if (o.schedules.size() != o.milestones.size() + 1)
    throw_error("join_schedules got " + std::to_string(o.schedules.size()) + " schedules and " +
                std::to_string(o.milestones.size()) +
                " milestones: it takes one milestone less than schedules");
  for (std::size_t i = 1; i < o.milestones.size(); ++i)
    if (o.milestones[i] < o.milestones[i - 1])
      throw_error({"join_schedules: milestone ", o.milestones[i], " comes after ", o.milestones[i - 1],
                   "; none may be below the one before it"});
  return [o = std::move(o)](std::int64_t t) {
    std::size_t i = 0;
    while (i < o.milestones.size() && t >= o.milestones[i]) ++i;
    return o.schedules[i].at(i == 0 ? t : t - o.milestones[i - 1]);
  };
}

}  // namespace tapeless
