// SPDX-License-Identifier: BSL-1.0
// The CPU policy: what a trainer or function is told to run on.
#pragma once

#include <tapeless/run/cpu/program.hpp>

namespace tapeless {

/// Runs programs on the CPU, by Eigen's products and vectors. The same program on the same inputs with the
/// same number of threads gives the same bits.
struct cpu {
  int threads = 1;  ///< the calling thread among them

  /// What the programs of one trainer share.
  class resources {
   public:
    explicit resources(const cpu& policy) : team_(policy.threads) {}
    cpu_kernels::thread_team* team() { return &team_; }

   private:
    cpu_kernels::thread_team team_;
  };

  using program = cpu_kernels::program_core;
  using program_memory = cpu_kernels::program_memory;
  using memory = cpu_kernels::aligned_memory;

  template <class Stage>
  static constexpr cpu_kernels::kernel_table kernels = cpu_kernels::kernels_of<Stage>;
};

}  // namespace tapeless
