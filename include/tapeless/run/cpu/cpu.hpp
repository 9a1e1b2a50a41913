// SPDX-License-Identifier: BSL-1.0
// The CPU policy: what a trainer or function is told to run on.
#pragma once

#include <tapeless/run/common/program_core.hpp>
#include <tapeless/run/cpu/cpu_backend.hpp>

namespace tapeless {

/// Runs programs on the CPU, by Eigen's products and vectors. The same program on the same inputs with the
/// same number of threads gives the same bits. Each trainer and function has threads of its own, which wait
/// between calls; in a forked child they are started again by its first call. A number below 1 or above 4096,
/// or more threads than the system starts, is an error where the trainer is made.
struct cpu {
  int threads = 1;  ///< the calling thread among them

  using program = program_core<cpu_kernels::backend>;
  using memory = cpu_kernels::aligned_memory;
  /// What the programs of one trainer share.
  class resources : public cpu_kernels::backend::resources {
   public:
    explicit resources(const cpu& policy) : cpu_kernels::backend::resources(policy.threads) {}
  };

  template <class GraphBuilder>
  static constexpr cpu_kernels::kernel_table kernels = cpu_kernels::kernels_of<GraphBuilder>;
};

}  // namespace tapeless
