// SPDX-License-Identifier: BSL-1.0
// The machine that runs a plan's steps on the CPU, split over a team of threads.
#pragma once

#include <tapeless/graph/array_view.hpp>
#include <tapeless/run/cpu/kernels.hpp>
#include <tapeless/run/cpu/split.hpp>

namespace tapeless::cpu_kernels {

class machine {
 public:
  using kernel_table = cpu_kernels::kernel_table;
  using memory = aligned_memory;

  /// The threads of all programs of a trainer.
  class resources {
   public:
    explicit resources(int threads) : team_(threads) {}
    aligned_memory allocate(std::int64_t bytes) const { return aligned_memory(bytes); }
    thread_team& team() { return team_; }

   private:
    thread_team team_;
  };

  machine(const kernel_table& kernels, resources& shared) : kernels_(kernels), team_(&shared.team()) {}

  void prepare(std::size_t, const product_call& call, element type) {
    for_each_part(*team_, call, [&](std::int64_t m, std::int64_t n) {
      team_->reserve_workspace(product_workspace(type, m, n, call.k));
    });
  }

  std::size_t steps_at_once(const planned_step&) const { return 1; }
  void run_pass(array_view<const planned_step> steps, const pass_call* calls) {
    const auto i = static_cast<std::size_t>(steps[0].index);
    run_split(*team_, kernels_.passes[i], calls[i]);
  }
  void run_product(array_view<const planned_step> steps, const product_call& call, const pass_call*) {
    run_split(*team_, kernels_.products[static_cast<std::size_t>(steps[0].index)], call);
  }
  void run_walk(std::size_t i, const walk_call& call) { kernels_.walks[i](call); }

 private:
  kernel_table kernels_;
  thread_team* team_;
};

}  // namespace tapeless::cpu_kernels
