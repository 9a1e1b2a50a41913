// SPDX-License-Identifier: BSL-1.0
// The CPU policy: what a trainer or function is told to run on.
#pragma once

#include <tapeless/run/common/program_core.hpp>
#include <tapeless/run/cpu/cpu_backend.hpp>

namespace tapeless {

/// Runs programs on the CPU, by Eigen's products and vectors. The same program on the same inputs gives the
/// same bits, whatever the number of threads. All trainers and functions share the threads of the process,
/// which sleep between calls: one at a time has them, the others work on the threads that they are called on.
/// A kernel is split where each thread gets some 10 microseconds of work at least. In a forked child threads
/// are started again by the first call that takes them.
struct cpu {
  /// At most so many threads, up to 4096, the calling one among them; 0 stands for as many as the process may
  /// use cores. Where the system starts fewer, there are fewer.
  int threads = 0;
  /// Steps, and other programs that update parameters or states, have zero in place of denormal numbers (in
  /// float those below 1.2e-38): moments that fade into them would make a step several times as long. The
  /// thread's mode is as before afterwards. Functions, predict and evaluate compute such numbers. On x86-64
  /// and aarch64.
  bool flush_denormals = true;
  /// Convolutions of many channels by kernels of 3 x 3, without stride, dilation and groups, are computed by
  /// Winograd's algorithm F(2x2, 3x3), with 16 products in place of 36. An infinity
  /// may give NaN where its products would give an infinity; the guide on numbers has more on errors.
  bool winograd = true;

  using program = program_core<cpu_kernels::backend>;
  using memory = cpu_kernels::aligned_memory;
  /// What the programs of one trainer share.
  class resources : public cpu_kernels::backend::resources {
   public:
    explicit resources(const cpu& policy)
        : cpu_kernels::backend::resources(policy.threads, policy.flush_denormals,
                                          {.winograd = policy.winograd}) {}
  };

  template <class GraphBuilder>
  static constexpr cpu_kernels::kernel_table kernels = cpu_kernels::kernels_of<GraphBuilder>;
};

}  // namespace tapeless
