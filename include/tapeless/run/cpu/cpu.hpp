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
  /// Steps, and other programs that update parameters or states, have zero in place of denormal numbers (in
  /// float those below 1.2e-38): moments that fade into them would make a step several times as long. The
  /// thread's mode is as before afterwards. Functions, predict and evaluate compute such numbers. On x86-64
  /// and aarch64.
  bool flush_denormals = true;

  using program = program_core<cpu_kernels::backend>;
  using memory = cpu_kernels::aligned_memory;
  /// What the programs of one trainer share.
  class resources : public cpu_kernels::backend::resources {
   public:
    explicit resources(const cpu& policy)
        : cpu_kernels::backend::resources(policy.threads, policy.flush_denormals) {}
  };

  template <class GraphBuilder>
  static constexpr cpu_kernels::kernel_table kernels = cpu_kernels::kernels_of<GraphBuilder>;
};

}  // namespace tapeless
