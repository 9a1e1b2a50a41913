// SPDX-License-Identifier: BSL-1.0
// What tests of cuDNN's callers say of its failures.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "gpu.hpp"

namespace test {

/// The so many-th call of a function fails, and the message ends like this.
struct cudnn_failure {
  const char* function;
  int number;
  cudnnStatus_t status;
  std::string_view at;
};

/// Checks that run() throws for each of them, with a message that names the function and the status.
template <class F>
void check_failures(std::initializer_list<cudnn_failure> failures, const F& run) {
  for (const auto& [function, number, status, at] : failures) {
    test::gpu gpu;
    gpu.fail(function, number, status);
    CHECK_THROWS_WITH(
        run(), contains(std::string(function) + " failed: " + cudnnGetErrorString(status) + std::string(at)));
  }
}

}  // namespace test
