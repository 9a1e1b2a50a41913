// SPDX-License-Identifier: BSL-1.0
// Kernels that are split over threads however small they are.
#pragma once

#include <utility>

#include <tapeless/run/cpu/threads/thread_team.hpp>

namespace test {

/// As long as it lives, no work is too small for a thread. While no other thread runs programs.
class smallest_shares {
 public:
  smallest_shares() : before_(std::exchange(tapeless::cpu_kernels::least_nanoseconds, 0)) {}
  ~smallest_shares() { tapeless::cpu_kernels::least_nanoseconds = before_; }
  smallest_shares(const smallest_shares&) = delete;
  smallest_shares& operator=(const smallest_shares&) = delete;

 private:
  double before_;
};

}  // namespace test
