// SPDX-License-Identifier: BSL-1.0
// The CPU policy without straight-line code.
#pragma once

#include <tapeless/run/common/program_core.hpp>
#include <tapeless/run/cpu/cpu_backend.hpp>

namespace tapeless {

namespace cpu_kernels {

/// What the programs of one trainer share on a policy of the CPU.
class policy_resources : public backend::resources {
 public:
  template <class Policy>
  explicit policy_resources(const Policy& policy)
      : backend::resources(policy.threads, policy.flush_denormals, {.winograd = policy.winograd}) {}
};

}  // namespace cpu_kernels

/// The policy tl::cpu, with all programs through tables of kernels: small static models, and the loops of
/// others, too. With the same bits.
struct cpu_by_tables {
  int threads = 0;              ///< as those of tl::cpu
  bool flush_denormals = true;  ///< as in tl::cpu
  bool winograd = true;         ///< as in tl::cpu

  using program = program_core<cpu_kernels::backend>;
  using memory = cpu_kernels::aligned_memory;
  using resources = cpu_kernels::policy_resources;
  using kernel_table = cpu_kernels::kernel_table;

  template <class GraphBuilder>
  static constexpr kernel_table kernels = cpu_kernels::kernels_of<GraphBuilder>;
};

}  // namespace tapeless
