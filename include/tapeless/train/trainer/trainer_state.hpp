// SPDX-License-Identifier: BSL-1.0
// A trainer's state apart from its tensors, as plain numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

/// How far fit is in its passes over the samples.
struct fit_position {
  std::int64_t pass = 0;     // the number of the pass that goes on, or comes next
  std::int64_t batch = 0;    // the batches of it that are done
  std::int64_t batches = 0;  // the batches of it in all; 0 between two passes
};

/// How far a trainer is, apart from the values of its parameters and states.
struct trainer_state {
  std::int64_t steps = 0;      // updates so far
  std::int64_t collected = 0;  // steps that wait for their update
  std::int64_t random = 0;     // the state of the stream of random keys
  fit_position fit{};
  double share = 0;  // of several ranks, this one's in the samples of the steps that wait; 1 a step in all
  std::int64_t evaluations = 0;  // since the last step, of those that draw random numbers
};

namespace detail {

TAPELESS_WARM inline void check_number(std::string_view where, std::string_view name, std::int64_t number,
                                       std::int64_t most) {
  if (number < 0 || number > most)
    throw_error({where, ": \"", name, "\" is ", number, "; it must be from 0 to ", most});
}

inline constexpr std::int64_t most_steps = std::int64_t{1} << 53;  // which are counted in double, too

/// Throws an error where no trainer can have this state; `where` says who tells of it.
TAPELESS_WARM inline void check_trainer_state(const trainer_state& p, std::string_view where) {
  check_number(where, "trainer.steps", p.steps, most_steps);
  check_number(where, "trainer.collected", p.collected, std::numeric_limits<int>::max());
  check_number(where, "trainer.evaluations", p.evaluations, most_steps);
  check_number(where, "trainer.fit.pass", p.fit.pass, most_steps);
  check_number(where, "trainer.fit.batches", p.fit.batches, most_steps);
  check_number(where, "trainer.fit.batch", p.fit.batch, p.fit.batches == 0 ? 0 : p.fit.batches - 1);
}

}  // namespace detail

}  // namespace tapeless
