// SPDX-License-Identifier: BSL-1.0
// The policy that runs a GPU's kernels on the CPU: what tests check the GPU's logic by.
#pragma once

#include <tapeless/run/common/program_core.hpp>
#include <tapeless/run/thrust_host/thrust_host_backend.hpp>

namespace tapeless {

/// Runs programs by the kernels of tl::cuda on Thrust's host system (one thread; OpenMP's or TBB's with
/// -DTHRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_OMP or _TBB), with Eigen's matrix products. It needs Thrust's
/// headers, but neither a GPU nor nvcc.
struct thrust_host {
  using program = program_core<thrust_kernels::host_backend>;
  using memory = cpu_kernels::aligned_memory;
  /// What the programs of one trainer share.
  class resources : public thrust_kernels::host_backend::resources {
   public:
    explicit resources(const thrust_host&) {}
  };

  template <class GraphBuilder>
  static constexpr thrust_kernels::host_backend::kernel_table kernels{
      thrust_kernels::kernels_of<GraphBuilder, thrust_kernels::host_executor>,
      cpu_kernels::detail::product_kernels_of<GraphBuilder, false>};
  /// For each command that begins a launch, how many commands the launch has.
  template <class GraphBuilder>
  static constexpr array_view<const std::size_t> commands_at_once =
      thrust_kernels::commands_at_once_of<GraphBuilder>;
};

}  // namespace tapeless
