// SPDX-License-Identifier: BSL-1.0
// The machine that runs a plan's steps on the CPU, split over a team of threads.
#pragma once

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

  std::size_t run_pass(std::size_t i, const pass_call* calls, std::span<const std::int64_t> sizes) {
    run_split(*team_, kernels_.passes[i], *calls, sizes);
    return 1;
  }
  std::size_t run_product(std::size_t i, const product_call& call, element type) {
    run_split(*team_, kernels_.products[i], call, static_cast<std::int64_t>(size_of(type)));
    return 1;
  }
  void run_walk(std::size_t i, const walk_call& call) { kernels_.walks[i](call); }

 private:
  kernel_table kernels_;
  thread_team* team_;
};

}  // namespace tapeless::cpu_kernels
