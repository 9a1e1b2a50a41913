// SPDX-License-Identifier: BSL-1.0
// constant_schedule(v): the same number at every step.
#pragma once

#include <cstdint>

namespace tapeless {

/// v at every step: of constant_schedule(0.1) the first three values are 0.1, 0.1, 0.1. A number alone is
/// such a schedule, too.
inline auto constant_schedule(double v) {
  return [v](std::int64_t) { return v; };
}

}  // namespace tapeless
