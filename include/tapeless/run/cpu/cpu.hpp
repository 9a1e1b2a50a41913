// SPDX-License-Identifier: BSL-1.0
// The CPU policy: what a trainer or function is told to run on.
#pragma once

#include <tapeless/run/cpu/program.hpp>

namespace tapeless {

/// Runs programs on the CPU, by Eigen's products and vectors, on the calling thread. The same program on the
/// same inputs gives the same bits.
struct cpu {
  using program = cpu_kernels::program_core;
  using program_memory = cpu_kernels::program_memory;
  using memory = cpu_kernels::aligned_memory;

  template <class Stage>
  static constexpr cpu_kernels::kernel_table kernels = cpu_kernels::kernels_of<Stage>;
};

}  // namespace tapeless
