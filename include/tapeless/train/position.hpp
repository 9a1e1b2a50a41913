// SPDX-License-Identifier: BSL-1.0
// How far a trainer is, as plain numbers.
#pragma once

#include <cstdint>

namespace tapeless {

/// How far a trainer is, apart from the values of its parameters and states.
struct trainer_position {
  std::int64_t steps = 0;      // updates so far
  std::int64_t collected = 0;  // steps that wait for their update
  std::int64_t random = 0;     // the state of the stream of random keys
};

}  // namespace tapeless
