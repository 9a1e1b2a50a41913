// SPDX-License-Identifier: BSL-1.0
// The one exception type of the library.
#pragma once

#include <stdexcept>
#include <string>

namespace tapeless {

/// What every run-time failure throws: the message says what was expected, what came, and which name.
class error : public std::runtime_error {
 public:
  explicit error(const std::string& message) : std::runtime_error("tapeless: " + message) {}
};

}  // namespace tapeless
