// SPDX-License-Identifier: BSL-1.0
// Seconds that pass, whatever is done to the time of day.
#pragma once

#if defined(__unix__) || defined(__APPLE__)
#include <time.h>  // <chrono> costs all programs 0.1 billion of the compiler's instructions
#else
#include <chrono>
#endif

namespace tapeless::detail {

/// Since any fixed moment.
inline double steady_seconds() {
#if defined(__unix__) || defined(__APPLE__)
  struct timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#else
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
}

}  // namespace tapeless::detail
