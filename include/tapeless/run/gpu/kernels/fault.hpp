// SPDX-License-Identifier: BSL-1.0
// Error flag that kernels set, since they cannot throw; the host checks it after the run.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/run/gpu/kernels/atomics.hpp>

namespace tapeless::thrust_kernels {

/// The first index that was out of range, where one was.
struct fault {
  int is_set = 0;
  std::int64_t index = 0, bound = 0;

  constexpr void report(std::int64_t wrong, std::int64_t allowed) {
    if (atomic_exchange(&is_set, 1) != 0) return;
    index = wrong;
    bound = allowed;
  }

  /// Throws an error where something was reported, once.
  void check() {
    if (is_set == 0) return;
    is_set = 0;
    throw_error({"an index is ", index, ", but must be from 0 to below ", bound});
  }
};

}  // namespace tapeless::thrust_kernels
