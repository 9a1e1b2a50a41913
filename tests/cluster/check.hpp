// SPDX-License-Identifier: BSL-1.0
// Checks on threads that stand for ranks.
#pragma once

#include <mutex>
#include <source_location>

#include "catch.hpp"

namespace test {

/// A check that any thread may make.
inline void check(bool holds, std::source_location at = std::source_location::current()) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  INFO("line " << at.line());
  CHECK(holds);
}

}  // namespace test
